import type { Endpoint } from '../../src/kit/contract/endpoint.ts';
import { type Random, randomFrom } from '../../src/kit/server/random.ts';
import { sampleOf } from '../inputs.ts';
import { badJson, badNames, badText } from './bad-values.ts';

/** A raw request, as sent. */
export interface BadRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

interface Surroundings {
  /** Every operation; a new one is covered by being listed. */
  endpoints: Endpoint[];
  /** Valid links. */
  links: string[];
  /** The cookie of an Admin who has just signed in. */
  cookie: string;
  /** Small valid files, which may be sent with invalid fields. */
  pictures: Buffer[];
}

/** The request with this number in the series of this seed, reproducible by the two numbers. */
export function badRequest(
  seed: number,
  number: number,
  { endpoints, links, cookie, pictures }: Surroundings,
): BadRequest {
  const random = randomFrom(Math.imul(seed, 0x9e3779b1) ^ number);
  // In turn, so that each operation gets its share.
  const endpoint = endpoints[number % endpoints.length] as Endpoint;
  const fields = [...namesOf(endpoint), ...(random.isOnceIn(3) ? [random.oneOf(badNames)] : [])];
  const link = linkOf(random, links);
  const path = `/api${pathOf(random, endpoint)}${queryOf(random, endpoint, link, fields)}`;
  const method = random.isOnceIn(40)
    ? random.oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])
    : endpoint.method;
  const isSignedIn = Array.isArray(endpoint.access) && !random.isOnceIn(12);
  const { type, body } = bodyOf(random, endpoint, fields, pictures);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return {
    method,
    path,
    headers: {
      ...headersOf(random),
      ...(isSignedIn && { cookie, 'sec-fetch-site': 'same-origin' }),
      ...(hasBody && type !== undefined && { 'content-type': type }),
    },
    body: hasBody ? body : undefined,
  };
}

/** The fields of an operation's input, if it is an object. */
function namesOf({ input, path }: Endpoint): string[] {
  const { shape = {} } = (input as { def?: { shape?: object } }).def ?? {};
  return Object.keys(shape).filter((name) => !path.includes(`:${name}`));
}

const linkOf = (random: Random, links: string[]): string | undefined =>
  random.isOnceIn(12)
    ? random.oneOf([undefined, '', '0'.repeat(32), 'g'.repeat(32), badText(random), random.oneOf(links).toUpperCase()])
    : random.oneOf(links);

const badIds = [
  '0',
  '-1',
  '1',
  '2147483648',
  '9223372036854775808',
  '1.5',
  'NaN',
  '%00',
  '%ff',
  '..%2f..',
  "1'--",
  ' ',
];

const pathOf = (random: Random, { path }: Endpoint): string =>
  path.replace(/:\w+/g, () =>
    random.isOnceIn(4) ? escaped(badText(random).slice(0, 1000)) : random.oneOf(badIds).replaceAll(' ', '%20'),
  );

function queryOf(random: Random, { method, access }: Endpoint, link: string | undefined, fields: string[]): string {
  const parts = access === 'link' && link !== undefined ? [`inquiryNo=${escaped(link)}`] : [];
  if (link !== undefined && random.isOnceIn(30)) parts.push(`inquiryNo=${escaped(link)}`);
  if (method === 'GET' || random.isOnceIn(10)) {
    for (const name of fields) {
      if (random.isOnceIn(2))
        parts.push(`${escaped(name)}${random.isOnceIn(6) ? '[]' : ''}=${escaped(badText(random).slice(0, 600))}`);
    }
  }
  if (random.isOnceIn(60)) parts.push(`long=${'x'.repeat(random.oneOf([3000, 4100, 7000]))}`);
  if (random.isOnceIn(40))
    parts.push(random.oneOf(['%', '%zz', '&&&', '=', '%00=%00', '?', '__proto__[a]=1', '%F0%28']));
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

/** As encodeURIComponent, which would throw for lone surrogates. */
const escaped = (text: string) => encodeURIComponent(text.toWellFormed());

const badTypes = [
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/json,application/json',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  'multipart/mixed; boundary=x',
  '*/*',
  '\t',
];

function headersOf(random: Random): Record<string, string> {
  const headers: Record<string, string> = {};
  if (random.isOnceIn(3)) headers['idempotency-key'] = `bad-request-${random.upTo(2 ** 31)}`;
  if (random.isOnceIn(30))
    headers['idempotency-key'] = random.oneOf(['', 'x', 'x'.repeat(201), '\u00ff'.repeat(20), "'; --12345"]);
  if (random.isOnceIn(30))
    headers['x-forwarded-for'] = random.oneOf(['', '::', '999.1.1.1', 'x'.repeat(500), '1.1.1.1, ,']);
  if (random.isOnceIn(60)) headers['x-odd'] = '\u00fe'.repeat(random.upTo(7000));
  if (random.isOnceIn(60)) headers.accept = random.oneOf(['', 'x', ';;;', 'text/*;q=nan']);
  if (random.isOnceIn(60)) headers['content-encoding'] = random.oneOf(['gzip', 'br', 'x']);
  if (random.isOnceIn(60)) headers.range = 'bytes=9-1,-5';
  if (random.isOnceIn(60)) headers.cookie = `a=${'\u00e9'.repeat(100)}; ; =`;
  return headers;
}

interface Body {
  type: string | undefined;
  body: Buffer;
}

function bodyOf(random: Random, endpoint: Endpoint, fields: string[], pictures: Buffer[]): Body {
  const isMultipart = random.isOnceIn(25) ? !endpoint.files : Boolean(endpoint.files);
  const made = isMultipart
    ? multipartOf(random, endpoint, fields, pictures)
    : { type: 'application/json', body: jsonOf(random, endpoint, fields) };
  return random.isOnceIn(20) ? { ...made, type: random.oneOf([undefined, ...badTypes]) } : made;
}

function jsonOf(random: Random, { input }: Endpoint, fields: string[]): Buffer {
  // With the other fields valid, so that rules across fields run too.
  const good = random.isOnceIn(2) ? (sampleOf(input) as Record<string, unknown>) : {};
  const written = (name: string) => (random.isOnceIn(3) ? undefined : JSON.stringify(good[name])) ?? badJson(random);
  const members = fields.filter(() => !random.isOnceIn(4)).map((name) => `${JSON.stringify(name)}:${written(name)}`);
  if (random.isOnceIn(15) && members[0]) members.push(members[0]); // A duplicate name.
  const whole = `{${members.join(',')}}`;
  if (random.isOnceIn(15)) return broken(random, Buffer.from(whole));
  if (random.isOnceIn(20)) return Buffer.from(badJson(random));
  if (random.isOnceIn(40)) return Buffer.from(`\ufeff${whole}`);
  if (random.isOnceIn(150)) return Buffer.from(JSON.stringify({ [fields[0] ?? 'a']: 'x'.repeat(100_000) }));
  return Buffer.from(whole);
}

const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer <</Root 1 0 R>>\n%%EOF');
const fileNames = [
  'a.jpg',
  'a.pdf',
  '',
  '../../a.jpg',
  'a.jpg\u0000.exe',
  `${'x'.repeat(400)}.jpg`,
  'a',
  '.jpg',
  '\u202egpj.a',
];

function multipartOf(random: Random, { files: rules = {} }: Endpoint, fields: string[], pictures: Buffer[]): Body {
  const boundary = 'shala-boundary';
  const parts = fields
    .filter(() => !random.isOnceIn(5))
    .map((name) =>
      random.isOnceIn(30)
        ? part(name, Buffer.from(badJson(random)), { type: 'application/json' })
        : part(name, Buffer.from(badText(random))),
    );
  for (const name of Object.keys(rules)) {
    if (random.isOnceIn(4)) continue;
    // A PDF occupies a thread, so there are few.
    const file = random.isOnceIn(60) ? pdf : random.oneOf(pictures);
    const bytes = random.isOnceIn(2) ? broken(random, file) : file;
    parts.push(part(name, bytes, { fileName: random.oneOf(fileNames), type: 'image/jpeg' }));
    if (random.isOnceIn(20)) parts.push(part(name, bytes, { fileName: 'twice.jpg' }));
  }
  if (random.isOnceIn(30)) parts.push(part(random.oneOf(badNames), Buffer.from('x'), { fileName: 'unknown.jpg' }));
  if (random.isOnceIn(60)) for (let more = 0; more < 120; more++) parts.push(part(`more${more}`, Buffer.from('x')));
  const pieces = parts.flatMap((buffer) => [Buffer.from(`--${boundary}\r\n`), buffer, Buffer.from('\r\n')]);
  const whole = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
  const body = random.isOnceIn(12) ? broken(random, whole) : whole;
  return { type: `multipart/form-data; boundary=${random.isOnceIn(30) ? 'another' : boundary}`, body };
}

function part(name: string, bytes: Buffer, { fileName, type }: { fileName?: string; type?: string } = {}): Buffer {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`;
  const kind = type === undefined ? '' : `\r\nContent-Type: ${type}`;
  return Buffer.concat([Buffer.from(`Content-Disposition: form-data; name="${name}"${file}${kind}\r\n\r\n`), bytes]);
}

/** Truncated, or with a few bytes changed. */
function broken(random: Random, bytes: Buffer): Buffer {
  if (random.isOnceIn(2)) return bytes.subarray(0, random.upTo(bytes.length + 1));
  const changed = Buffer.from(bytes);
  for (let change = 0; change < 5 && changed.length > 0; change++)
    changed[random.upTo(changed.length)] = random.upTo(256);
  return changed;
}
