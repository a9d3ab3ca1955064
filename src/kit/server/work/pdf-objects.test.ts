import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { verbatim } from '#kit/contract/text.ts';
import { makePaper, sheet } from '#kit/server/paper/paper.ts';
import { provideChromium } from '../../../../scripts/chromium.ts';
import { findActive } from './pdf-objects.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const script = '<< /S /JavaScript /JS (app.alert(1)) >>';

/** A PDF of these objects, numbered from 1, with a cross-reference table. */
function pdf(objects: string[], { trailer = '', head = '%PDF-1.7\n' } = {}): Buffer {
  let text = head;
  const places = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  return latin(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}` +
      `trailer << /Root 1 0 R /Size ${size} ${trailer} >>\nstartxref\n${text.length}\n%%EOF\n`,
  );
}
const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>';
const plain = (catalogue = '', overrides: string[] = [], ofPage = page) =>
  pdf([
    `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    ofPage,
    ...overrides,
  ]);

const stream = (dict: string, content: Buffer) =>
  `<< ${dict} /Length ${content.length} >> stream\n${content.toString('latin1')}\nendstream`;
const packed = (objects: string, dict = '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode') =>
  stream(dict, deflateSync(latin(objects)));
const annotation = (act: string) =>
  page.replace('>>', `/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] ${act} >>] >>`);

test.each([
  ['in the catalogue', plain(`/OpenAction ${script}`)],
  ['under names written with numbers', plain('/OpenAction << /S /J#61vaScript /J#53 (app.alert(1)) >>')],
  ['in an object stream', plain('', [packed(`5 0 ${script}`)])],
  [
    'in an object stream whose type is written with numbers',
    plain('', [packed(`5 0 ${script}`, '/Type/Obj#53tm /N 1 /First 4 /Filter/Fl#61teDecode')]),
  ],
  ['in an object stream without a type', plain('', [packed(`5 0 ${script}`, '/N 1 /First 4 /Filter /FlateDecode')])],
  ['in an object stream that is not packed', plain('', [stream('/N 1 /First 4', latin(`5 0 ${script}`))])],
  [
    'in an object stream with much before its bytes',
    plain('', [packed(`5 0 ${script}`, `/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /X (${'x'.repeat(5000)})`)]),
  ],
  ['in a text of an object stream', plain('', [packed(`5 1 (${script})`)])],
  [
    'where an object stream begins, before the place of its first object',
    plain('', [packed(`5 1 %${script}`, '/N 1 /First 5 /Filter /FlateDecode')]),
  ],
  ['between comments that look like a stream', plain('', [`null\nendobj\n% stream\n5 0 obj ${script}\n% endstream`])],
  ['in a stream that the table says is an object', plain('', [stream('', latin(`9 0 obj ${script} endobj`))])],
  ['behind comments within its number', plain('', [stream('', latin(`9%\n0%x\nobj ${script} endobj`))])],
  ['behind a keyword that ends nothing there', plain('', [`<< /X stream /Y ${script} >>`])],
  ['behind a bracket that a comment holds', plain('', [`<< % >> endobj\n /Y ${script} >>`])],
  ['behind a text with brackets', plain('', [`<< /X (\\) () \\() /Y ${script} >>`])],
  ['in an older revision', Buffer.concat([plain('', [script]), plain('', ['null'])])],
  ['under names that end at #00 to some viewers', plain('', ['<< /S /JavaScript#00x /JS#00y (app.alert(1)) >>'])],
  ['behind a byte 0x80, a blank to Chrome', plain('', ['<< /S\x80/JavaScript\x80/JS\x80(app.alert(1)) >>'])],
  ['behind a byte 0xFF, a blank to Chrome', plain('', ['<< /S\xff/JavaScript\xff/JS\xff(app.alert(1)) >>'])],
])('W8 D5 a script is found %s', (_, bytes) => {
  expect(findActive(bytes)).toBe('active');
});

test.each([
  ['a file inside', plain('/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>')],
  [
    'a file in an annotation, whose stream is called nothing',
    plain(
      '',
      [`<< /F (a.exe) /EF << /F 5 0 R >> >>`, stream('', latin('MZ'))],
      annotation('/Subtype /FileAttachment /FS 4 0 R'),
    ),
  ],
  ['a file in a specification', plain('', ['<< /UF (a.exe) /EF << /UF 5 0 R >> >>', stream('', latin('MZ'))])],
  ['a program to start', plain('/OpenAction << /S /Launch /F (cmd.exe) >>')],
  [
    'a share on a network that is opened',
    plain('/OpenAction << /S /GoToE /F (\\\\\\\\host\\\\share\\\\a.pdf) /D [0 /Fit] >>'),
  ],
  ['another file that is opened', plain('/OpenAction << /S /GoToR /F (\\\\\\\\host\\\\share\\\\a.pdf) /D [0 /Fit] >>')],
  ['a form that sends itself', plain('/OpenAction << /S /SubmitForm /F (https://x.example) >>')],
  ['data that is fetched', plain('/OpenAction << /S /ImportData /F (\\\\\\\\host\\\\a.fdf) >>')],
  ['an address that is opened at once', plain('/OpenAction << /S /URI /URI (https://x.example) >>')],
  [
    'an address that is opened at once, elsewhere',
    plain('/OpenAction 4 0 R', ['<< /S /URI /URI (https://x.example) >>']),
  ],
  [
    'an address that is opened after a page',
    plain('/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next [<< /S /URI /URI (https://x.example) >>] >>'),
  ],
  [
    'an address that is opened with its page',
    plain('', ['<< /O << /S /URI /URI (https://x.example) >> >>'], page.replace('>>', '/AA 4 0 R >>')),
  ],
  ['an address under a name that Chrome ends early', plain('/OpenAction\x80<< /S\x80/URI /URI (https://x.example) >>')],
  ['an address that Chrome finds', plain('/OpenAction 4\xff0\xffR', ['<< /S /URI /URI (https://x.example) >>'])],
  [
    'an address after a page, referred to without a blank',
    plain('/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next [4 0R] >>', ['<< /S /URI /URI (https://x.example) >>']),
  ],
  ['a link to a share on a network', plain('', [], annotation('/A << /S /URI /URI (file://host/share/a.exe) >>'))],
  [
    'a link written as two-byte letters',
    plain('', [], annotation('/A << /S /URI /URI <FEFF00660069006C0065003A002F002F0061> >>')),
  ],
  ['a link whose beginning lies elsewhere', plain('/URI << /Base (file://host/) >>')],
  [
    'a picture in another file',
    plain('', ['<< /Type /XObject /F (\\\\\\\\host\\\\a) /Length 0 >> stream\n\nendstream']),
  ],
  ['a picture in another file, named elsewhere', plain('', [stream('/F 5 0 R', latin('')), '(\\\\\\\\host\\\\a)'])],
  [
    'a file under the name of another system',
    plain('', ['<< /Unix (a) /EF << /F 5 0 R >> >>', stream('', latin('MZ'))]),
  ],
  ['a film', plain('', [], annotation('/Subtype /Screen'))],
  [
    'a thread in another file, whose kind is written elsewhere',
    plain('', ['/Thread'], annotation('/A << /S 4 0 R >>')),
  ],
  ['a sound that is played', plain('/OpenAction << /S /Sound >>')],
  ['rich media', plain('', [], annotation('/Subtype /RichMedia'))],
  ['a form of another kind', plain('/AcroForm << /XFA [] >>')],
])('W8 D5 %s is refused', (_, bytes) => {
  expect(findActive(bytes)).toBe('active');
});

test.each([
  ['unpacks to 64 MB', plain('', [packed('#41'.repeat(22_000_000))])],
  ['is in another packing', plain('', [stream('/Type /ObjStm /N 1 /First 4 /Filter /LZWDecode', latin('x'))])],
  [
    'is packed twice',
    plain('', [stream('/Type /ObjStm /N 1 /First 4 /Filter [/ASCIIHexDecode /FlateDecode]', latin('x'))]),
  ],
  ['does not unpack', plain('', [stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', latin('not packed'))])],
  ['does not say where its objects are', plain('', [packed('5 x << >>')])],
  ['has an object at a broken place', plain('', [packed(`5 1.5 (${script})`, '/N 1 /First 6 /Filter /FlateDecode')])],
  ['has an object at no place', plain('', [packed(`5 - ${script}`)])],
  [
    'has an object behind its end',
    plain('', [packed(`5 4294967296 ${script}`, '/N 1 /First 13 /Filter /FlateDecode')]),
  ],
  ['begins at a broken place', plain('', [packed(`5 0 ${script}`, '/N 1 /First 4.5 /Filter /FlateDecode')])],
])('W2 W8 a PDF with an object stream that %s is not decided on', (_, bytes) => {
  expect(findActive(bytes)).toBe('unclear');
});

test.each([
  ['an array without end', plain('', ['<< /X [ 1 2 >>'])],
  ['a text without end', Buffer.concat([plain(), latin('9 0 obj (x')])],
  ['a key that is no name', plain('', ['<< 1 2 >>'])],
  ['thousands of brackets', plain('', [`${'['.repeat(100_000)}${']'.repeat(100_000)}`])],
  ['objects in texts in each other', Buffer.concat([plain(), latin('9 0 obj ('.repeat(100_000))])],
])('W2 W8 a PDF with %s is not decided on', (_, bytes) => {
  expect(findActive(bytes)).toBe('unclear');
});

test.each([
  ['a long comment', (object: string) => `4 %${'x'.repeat(200)}\n0 obj ${object} endobj`],
  ['a long comment behind the generation', (object: string) => `4 0 %${'x'.repeat(200)}\nobj ${object} endobj`],
  ['many short comments', (object: string) => `4 0${'%\n'.repeat(200)}obj ${object} endobj`],
  ['many blanks', (object: string) => `4${' '.repeat(200)}0 obj ${object} endobj`],
  ['a fraction', (object: string) => `4.5 0 obj ${object} endobj`],
  ['a long number', (object: string) => `4${'0'.repeat(200)} 0 obj ${object} endobj`],
])('W8 a PDF with an object whose number is written with %s is not decided on', (_, written) => {
  expect(findActive(Buffer.concat([plain(), latin(written('<< >>'))]))).toBe('unclear');
});

test.each(['/J#5*S', '/J#', '/A#zz', '/##'])(
  'W8 a PDF with the name %s, which viewers differ in, is not decided on',
  (name) => {
    expect(findActive(plain('', [`<< ${name} 1 >>`]))).toBe('unclear');
  },
);

test.each(['4.5 0 R', '4-0 0 R', '4 R'])('W8 a PDF with the reference %s is not decided on', (reference) => {
  expect(findActive(plain('', [`[ ${reference} ]`]))).toBe('unclear');
});

test('D5 the letters obj in text and in pictures begin no object', () => {
  const words = `${'a line of words, '.repeat(20)}obj and 12 obj\nof obj\nwords, x obj (`;
  expect(findActive(plain('', [stream('', latin(words))]))).toBeUndefined();
});

const jpeg = () =>
  sharp({
    create: {
      width: 800,
      height: 600,
      channels: 3,
      background: '#fff',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg()
    .toBuffer();

test('D5 an ordinary PDF is harmless', async () => {
  const picture = await jpeg();
  const scan = stream(
    '/Type /XObject /Subtype /Image /Width 800 /Height 600 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode',
    picture,
  );
  const ordinary: Record<string, Buffer> = {
    'the smallest': plain(),
    'one that opens at a page': plain('/OpenAction [3 0 R /XYZ null null 0]'),
    'one that turns to a page': plain('/OpenAction << /S /GoTo /D [3 0 R /Fit] >>'),
    'one with a link': plain(
      '',
      [],
      annotation('/A << /Type /Action /S /URI /URI (https://school.example/a?b=(c)) >>'),
    ),
    'one with a link to an address of mail': plain(
      '',
      [],
      annotation('/A << /S /URI /URI (mailto:office@school.example) >>'),
    ),
    'one with a form': plain('/AcroForm << /Fields [4 0 R] /DA (/Helv 0 Tf) >>', [
      '<< /FT /Tx /T (name) /V (Asha) /Ff 0 >>',
    ]),
    'one with bookmarks': plain('/Outlines 4 0 R /PageMode /UseOutlines', [
      '<< /First 5 0 R /Last 5 0 R /Count 1 >>',
      '<< /Title (A) /Parent 4 0 R /Dest [3 0 R /Fit] >>',
    ]),
    'one with a colour profile': plain('', [packed('profile', '/N 3 /Filter /FlateDecode')]),
    'a scan': plain('', [scan]),
    'one with object streams': plain('', [
      packed('5 0 6 11 << /A 1 >> << /B [5 0 R] >>', '/Type /ObjStm /N 2 /First 9 /Filter /FlateDecode'),
    ]),
    'one with names in a stream': plain('', [stream('', latin('BT (/JS /Launch) Tj /XFA ET'))]),
    'one that was changed': Buffer.concat([
      plain(),
      latin('3 0 obj << /Type /Page /Parent 2 0 R /Rotate 90 >> endobj\n'),
    ]),
    'one of ours': await makePaper(
      sheet,
      {
        head: { name: 'School', lines: [], principal: '' },
        title: verbatim('List'),
        facts: [],
        table: { heads: [verbatim('Name')], rows: [['Asha'], ['આશા']] },
        made: verbatim(''),
        signatures: [],
      },
      { owner: 'account:1' },
    ),
  };
  for (const [what, bytes] of Object.entries(ordinary)) expect([what, findActive(bytes)]).toEqual([what, undefined]);
});

test('D5 a PDF that Chromium prints, with links, tables and a picture, is harmless', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shala-print-'));
  try {
    writeFileSync(join(folder, 'a.jpg'), await jpeg());
    const rows = Array.from(
      { length: 200 },
      (_, index) => `<tr><td>${index}<td><a href="https://school.example/${index}">વિદ્યાર્થી ${index}</a>`,
    );
    writeFileSync(
      join(folder, 'a.html'),
      `<h1>Certificate</h1><img src="a.jpg"><input value="x"><table>${rows.join('')}</table>`,
    );
    const words = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      `--user-data-dir=${folder}/profile`,
      `--print-to-pdf=${folder}/a.pdf`,
    ];
    execFileSync(provideChromium() ?? '', [...words, pathToFileURL(join(folder, 'a.html')).href], { stdio: 'ignore' });
    expect(findActive(readFileSync(join(folder, 'a.pdf')))).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
