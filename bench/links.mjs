// SPDX-License-Identifier: BSD-2-Clause
//
// What bench/links.sh runs: the links that an HTML5 parser (parse5) and the
// URL Standard's own class (URL) find in a page, beside `crawl --extract'.
//
//	node links.mjs CRAWL URLSEEN [DAMAGE] <LIST >DIFFERENCES
//
// from the folder that has node_modules; LIST has a file a line.  With DAMAGE
// bytes of markup go missing, that many in 1,000 (always the same ones).  A page that
// differs is a line "FILE", then a line "-LINK" for each that only the other
// finds and "+LINK" for each that only crawl does; the counts go to stderr.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'parse5';

const [crawl, urlseen, damage = 0] = process.argv.slice(2);
const rels = new Set(['stylesheet', 'icon', 'apple-touch-icon', 'mask-icon',
	'preload', 'modulepreload', 'manifest', 'canonical', 'alternate',
	'next', 'prev']);
const plain = {
	a: ['href'], area: ['href'], link: ['href'], frame: ['src'],
	iframe: ['src'], img: ['src'], source: ['src'], audio: ['src'],
	video: ['src', 'poster'], track: ['src'], embed: ['src'],
	object: ['data'], script: ['src'], input: ['src'],
	body: ['background'],
};
const candidates = { img: 'srcset', source: 'srcset', link: 'imagesrcset' };

// Some of the bytes that markup is made of are left out.
function harm(bytes) {
	let x = bytes.length + 1;
	return bytes.filter((c) => {
		if (!'<>"\'=/ -!'.includes(String.fromCharCode(c)))
			return true;
		x = (Math.imul(x, 1103515245) + 12345) >>> 0;
		return (x >>> 8) % 1000 >= damage;
	});
}

// Byte order mark, meta element in the first KiB, else what the bytes are.
function decode(bytes) {
	let label = 'utf-8';
	const head = bytes.subarray(0, 1024).toString('latin1');
	const meta = /<meta[^>]*charset\s*=\s*["']?\s*([\w-]+)/i.exec(head) ??
		/^<\?xml[^>]*encoding\s*=\s*["']([\w-]+)/.exec(head);
	if (bytes[0] === 0xfe && bytes[1] === 0xff)
		label = 'utf-16be';
	else if (bytes[0] === 0xff && bytes[1] === 0xfe)
		label = 'utf-16le';
	else if (meta !== null && !/^utf-16/i.test(meta[1]))
		label = meta[1];
	else if (!bytes.equals(Buffer.from(bytes.toString('utf8'))))
		label = 'windows-1252';
	try {
		return new TextDecoder(label).decode(bytes);
	} catch { // no such encoding
		return new TextDecoder('windows-1252').decode(bytes);
	}
}

// The URLs among image candidates, without those whose descriptors are bad;
// no page of Debian's has commas or parentheses in them.
function srcset(text) {
	return text.split(/,\s+|\s,/).map((c) => c.trim().split(/\s+/)[0])
		.filter((u) => u !== '');
}

function refresh(text) {
	const m = /^\s*(?:\d+(?:\.[\d.]*)?|\.[\d.]*)(?:\s*[;,]|\s)\s*(.*)$/s
		.exec(text);
	if (m === null)
		return null;
	let url = m[1].replace(/^url\s*=\s*/i, '');
	const quoted = /^(["'])(.*?)(?:\1|$)/s.exec(url);
	if (quoted !== null)
		url = quoted[2];
	return url === '' ? null : url;
}

// All that the tree refers to, in document order.
function collect(html) {
	const found = [];
	let base = null;
	const visit = (node, inert) => {
		const a = {};
		for (const { name, value, prefix } of node.attrs ?? [])
			a[prefix ? `${prefix}:${name}` : name] ??= value;
		const tag = node.tagName;
		if (tag === 'base' && base === null && !inert && 'href' in a)
			base = a.href;
		if (tag === 'meta' && !inert && 'content' in a &&
		    a['http-equiv']?.toLowerCase() === 'refresh') {
			const url = refresh(a.content);
			if (url !== null)
				found.push(url);
		}
		let names = plain[tag] ?? [];
		let set = candidates[tag];
		if (tag === 'input' && a.type?.toLowerCase() !== 'image')
			names = [];
		if (tag === 'link') {
			const types = (a.rel ?? '').toLowerCase().split(/\s+/);
			if (!types.some((t) => rels.has(t)))
				names = [], set = undefined;
		}
		for (const name of names)
			if (name in a && (a[name] !== '' || tag === 'a' ||
			    tag === 'area'))
				found.push(a[name]);
		if (set !== undefined && set in a)
			found.push(...srcset(a[set]));
		for (const child of node.childNodes ?? [])
			visit(child, inert);
		if (node.content !== undefined)
			visit(node.content, true);
	};
	visit(parse(html, { scriptingEnabled: false }), false);
	return { base, found };
}

function resolve(text, base) {
	try {
		return new URL(text, base);
	} catch {
		return null;
	}
}

function links(bytes, page) {
	const { base, found } = collect(decode(bytes));
	let from = base === null ? null : resolve(base, page);
	if (from === null || /^(data|javascript):$/.test(from.protocol))
		from = page;
	return found.map((text) => resolve(text, from))
		.filter((u) => u !== null && /^https?:$/.test(u.protocol))
		.map((u) => u.href);
}

// Standard output of a filter, as lines.
function filter(program, args, input) {
	return new Promise((done, fail) => {
		const child = spawn(program, args,
			{ stdio: ['pipe', 'pipe', 'ignore'] });
		const out = [];
		child.stdout.on('data', (d) => out.push(d));
		child.on('error', fail);
		child.on('close', () => done(Buffer.concat(out).toString()
			.split('\n').slice(0, -1)));
		child.stdin.on('error', () => {});
		child.stdin.end(input);
	});
}

const list = readFileSync(0, 'utf8').split('\n').filter((f) => f !== '');
const count = { pages: 0, equal: 0, links: 0, lost: 0, extra: 0 };

async function compare(file) {
	const bytes = harm(readFileSync(file));
	const page = new URL('http://docs.test' +
		file.split('/').map(encodeURIComponent).join('/')).href;
	const [theirs, ours] = await Promise.all([
		filter(urlseen, ['-N', '-K', 'exact', '-q'],
			links(bytes, page).join('\n')),
		filter(crawl, ['--extract', '--embeds=yes', '--nofollow=ignore',
			`--base=${page}`], bytes),
	]);
	const want = new Set(theirs);
	const got = new Set(ours.map((l) => l.slice(0, l.indexOf('\t'))));
	const lost = [...want].filter((u) => !got.has(u));
	const extra = [...got].filter((u) => !want.has(u));
	count.pages++;
	count.links += want.size;
	count.lost += lost.length;
	count.extra += extra.length;
	if (lost.length + extra.length === 0)
		count.equal++;
	else
		console.log([file, ...lost.map((u) => `-${u}`),
			...extra.map((u) => `+${u}`)].join('\n'));
}

async function work() {
	while (list.length > 0)
		await compare(list.shift());
}

await Promise.all([work(), work(), work(), work()]);
console.error(`${count.pages} pages, ${count.equal} equal ` +
	`(${(100 * count.equal / count.pages).toFixed(2)} %); ` +
	`${count.links} links, ${count.lost} lost, ${count.extra} extra`);
process.exitCode = count.equal >= 0.98 * count.pages ? 0 : 1;
