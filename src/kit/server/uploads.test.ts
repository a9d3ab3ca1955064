import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { deflateSync, inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { basicInfoAnswers } from '#database/seed/answers.ts';
import { lockedPdfs } from '#testing/locked-pdfs.ts';
import { type Family, fileOf, form, openOwnSchool, photo, type School } from '#testing/school.ts';
import { soak } from '#testing/soak.ts';

let school: School;
let family: Family;
beforeAll(async () => {
  school = await openOwnSchool();
  family = await school.inquiry();
});
afterAll(() => school.close());

const pixel = () => sharp({ create: { width: 40, height: 40, channels: 3, background: '#0b6e6e' } });
const picture = {
  png: () => pixel().png().toBuffer(),
  jpg: () => pixel().jpeg().toBuffer(),
  gif: () => pixel().gif().toBuffer(),
  webp: () => pixel().webp().toBuffer(),
};

/** A file of exactly this size that still opens: bytes after a picture's end are not read. */
const grown = (bytes: Buffer, size: number) => Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
const megabyte = 1024 * 1024;

const savePhoto = (file: File) => family.saveBasicInfo({}, { admissionStudentImageIFormFile: file });
const photoError = async (file: File) => {
  const { status, json } = await savePhoto(file);
  return [status, json.errors?.admissionStudentImageIFormFile];
};
const storedPhoto = async () => {
  const [row] = (await family.get('basic-info')).json.data.lstStudentAdmissionBasicInfoModel;
  return family.get(`files/${row.admissionStudentImagePath}`);
};

/** The smallest possible PDF, with extra entries in its catalogue. */
function pdf(overrides = '', objects = '', head = ''): Buffer {
  const parts = [
    `1 0 obj << /Type /Catalog /Pages 2 0 R ${overrides} >> endobj`,
    '2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj',
    '3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >> endobj',
  ];
  return Buffer.from(
    `${head}%PDF-1.4\n${parts.join('\n')}\n${objects}\ntrailer << /Root 1 0 R /Size 9 >>\n%%EOF`,
    'latin1',
  );
}

/** The process that opens pictures for this one; of several, the one started last. */
function pictureProcess(): number {
  const [last] = pictureProcesses().slice(-1);
  if (last === undefined) throw new Error('There is no picture process.');
  return last;
}

const parentOf = (id: string) => readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] ?? '';

function pictureProcesses(): number[] {
  const found: number[] = [];
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const isOurs = parentOf(parentOf(entry)) === `${process.pid}`;
      if (isOurs && readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes('picture-work')) found.push(Number(entry));
    } catch {
      // The process has ended.
    }
  }
  return found.sort((left, right) => left - right);
}

function tellIfThere(id: number, signal: NodeJS.Signals) {
  try {
    process.kill(id, signal);
  } catch {
    // It has ended, as it should.
  }
}

/** The fields of /proc/…/stat from the state on, for a process or one of its threads. */
const statOf = (place: number | string) =>
  (readFileSync(`/proc/${place}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ');

/** Processor time of a process so far, in hundredths of a second. */
const usedBy = (id: number) => Number(statOf(id)[11]) + Number(statOf(id)[12]);

/** The peak memory of a process in bytes. */
const mostMemoryOf = (id: number) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) * 1024;

/** The peak memory of a process; 0 once it has ended. */
const memoryOf = (id: number) => {
  try {
    // A process that is just ending shows no number.
    return mostMemoryOf(id) || 0;
  } catch {
    return 0;
  }
};

const upload = (name: string, bytes: Buffer, documentName = 'Other') =>
  family.upload(documentName, { otherDocumentDescription: 'x' }, fileOf(name, bytes));
// These tests send more files than a family's hourly limit.
beforeEach(() => school.sql('delete from attempt'));

const clear = async () => {
  for (const { studentAdmissionDocumentsID } of (await family.get('documents')).json.data.resultList) {
    await family.remove(`documents/${studentAdmissionDocumentsID}`);
  }
};

describe('sizes', () => {
  test('D1 S051 RA19 exactly 2 MB is accepted, one byte more is refused with 413 and its message', async () => {
    const bytes = await picture.png();
    expect((await savePhoto(fileOf('a.png', grown(bytes, 2 * megabyte)))).status).toBe(200);
    const { status, json } = await savePhoto(fileOf('a.png', grown(bytes, 2 * megabyte + 1)));
    expect([status, json]).toEqual([
      413,
      {
        isSuccess: false,
        code: 'too_large',
        message: 'File size exceeds 2MB',
        text: { id: 'File size exceeds 2MB' },
        errors: { admissionStudentImageIFormFile: 'File size exceeds 2MB' },
        texts: { admissionStudentImageIFormFile: { id: 'File size exceeds 2MB' } },
        data: {},
      },
    ]);
  });
  test('D1 S125 RA19 exactly 4 MB of a document is accepted, one byte more is not', async () => {
    const bytes = await picture.jpg();
    expect((await upload('a.jpg', grown(bytes, 4 * megabyte))).status).toBe(200);
    await clear();
    const { status, json } = await upload('a.jpg', grown(bytes, 4 * megabyte + 1));
    expect([status, json.message]).toEqual([413, 'File select up 4 Mb file']);
  });
  test('D1 a file far too large is refused the same way, and nothing of it stays behind', async () => {
    const before = storedFiles().length;
    expect((await photoError(fileOf('a.png', grown(await picture.png(), 20 * megabyte))))[0]).toBe(413);
    expect(storedFiles()).toHaveLength(before);
  });
});

/** A connection to a listening server. */
async function dial() {
  if (!school.app.server.listening) await school.app.listen({ port: 0, host: '127.0.0.1' });
  return connect((school.app.server.address() as AddressInfo).port, '127.0.0.1');
}

test('D1 a request that announces far more than any file may have is refused unread, and its connection ends', async () => {
  const socket = await dial();
  let answered = '';
  socket.on('data', (text) => {
    answered += text;
  });
  const ended = new Promise((done) => socket.once('close', done));
  socket.on('error', () => undefined); // The end may come while the test still writes.
  socket.write(
    `POST /api/admission/basic-info?inquiryNo=${family.link} HTTP/1.1\r\nHost: localhost\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${1024 * megabyte}\r\n\r\n--x\r\n`,
  );
  await ended;
  expect(answered).toMatch(/^HTTP\/1\.1 413 /);
  expect(answered).toContain('File size exceeds 2MB');
});

const filePart = (name: string, size: number) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"; filename="a.jpg"\r\n\r\n${'y'.repeat(size)}\r\n`;

test.each([
  ['an unexpected file before a large one', filePart('other', 100_000)],
  ['two files of one name before a large one', filePart('admissionStudentImageIFormFile', 100_000).repeat(2)],
  ['a field twice before a large file', '--x\r\nContent-Disposition: form-data; name="caste"\r\n\r\nA\r\n'.repeat(2)],
])('D13 after %s is refused, the same connection answers the next request', async (_, begin) => {
  const body = `${begin}${filePart('admissionStudentImageIFormFile', 3 * megabyte)}--x--\r\n`;
  const socket = await dial();
  let answered = '';
  socket.on('data', (text) => {
    answered += text;
  });
  socket.write(
    `POST /api/admission/basic-info?inquiryNo=${family.link} HTTP/1.1\r\nHost: localhost\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const statuses = () => answered.match(/HTTP\/1\.1 \d+/g);
  await expect.poll(statuses).toEqual(['HTTP/1.1 400']);
  // A connection that sends a second request before its answer is ended (decision 0044), so this waits for the first
  // one.
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(statuses).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200']);
  socket.destroy();
});

describe('kinds', () => {
  test('S050 D2 a photo is png, jpg or jpeg by its content, whatever its name', async () => {
    const jpg = await picture.jpg();
    for (const [name, bytes] of [
      ['a.png', await picture.png()],
      ['a.jpg', await picture.jpg()],
      ['a.JPEG', await picture.jpg()],
      ...[
        'photo.jfif',
        'photo.jpe',
        'photo.pjpeg',
        'IMG-20260101-WA0001',
        'image:1000',
        'photo.jpg_large',
        'a.png',
      ].map((name) => [name, jpg] as const),
      ['a.jpg', jpg.subarray(0, -2)],
    ] as const) {
      expect((await savePhoto(fileOf(name, bytes))).status).toBe(200);
    }
    for (const [name, bytes] of [
      ['a.gif', await picture.gif()],
      ['a.webp', await picture.webp()],
      ['a.pdf', pdf()],
      ['a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
      ['a.png', Buffer.from('<html>')],
      ['a.jpg', pdf()],
      ['a.zip', Buffer.from('PK\u0003\u0004')],
    ] as const) {
      expect(await photoError(fileOf(name, bytes))).toEqual([422, 'Select a PNG, JPG or JPEG picture.']);
    }
  });

  test('B18 D2 what pretends to be a picture is refused with its own words, also straight at the API', async () => {
    const jpg = await sharp({
      create: {
        width: 900,
        height: 900,
        channels: 3,
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
        background: '#fff',
      },
    })
      .jpeg()
      .toBuffer();
    const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(40)]);
    const exe = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100)]);
    expect(await photoError(fileOf('a.jpg', heic))).toEqual([
      422,
      'This is an iPhone HEIC picture. Take the photo here or save it as JPG first.',
    ]);
    expect(await photoError(fileOf('a.png', exe))).toEqual([422, 'Select a PNG, JPG or JPEG picture.']);
    expect(await photoError(fileOf('a.svg', Buffer.from('<svg/>')))).toEqual([
      422,
      'Select a PNG, JPG or JPEG picture.',
    ]);
    expect(await photoError(fileOf('a.jpg', jpg.subarray(0, jpg.length / 2)))).toEqual([
      422,
      'This file is empty or damaged. Choose another one.',
    ]);
    expect(
      await photoError(fileOf('a.png', Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.alloc(60)]))),
    ).toEqual([422, 'This file is empty or damaged. Choose another one.']);
    expect(await photoError(fileOf('a.jpg', Buffer.alloc(0)))).toEqual([
      422,
      'This file is empty or damaged. Choose another one.',
    ]);
  });

  test('S079 RA22 the family photo may be a gif, of which the first frame is stored as a picture', async () => {
    const frames = await sharp(Buffer.alloc(20 * 40 * 3, 200), {
      raw: { width: 20, height: 40, channels: 3, pageHeight: 20 },
    })
      .gif()
      .toBuffer();
    expect((await family.saveParentInfo({}, { FamilyImageIFormFile: fileOf('a.gif', frames) })).status).toBe(200);
    const [row] = (await family.get('parent-info')).json.data.lstStudentAdmissionParentInfo;
    const served = await family.get(`files/${row.familyImagePath}`);
    expect(served.headers['content-type']).toBe('image/png');
    expect((await sharp(served.bytes).metadata()).height).toBe(20);
  });

  test('S080 RA23 divorce and adoption documents refuse a gif', async () => {
    const { status, json } = await family.saveParentInfo(
      { isParentDivorced: 'true' },
      { FamilyImageIFormFile: await photo(), DivorceDocumentIFormFile: fileOf('a.gif', await picture.gif()) },
    );
    expect([status, json.errors]).toEqual([422, { DivorceDocumentIFormFile: 'Select a PNG, JPG or JPEG picture.' }]);
  });

  test('a refused file does not hide what else is wrong on the page', async () => {
    const { status, json } = await family.saveBasicInfo(
      { religion: '' },
      { admissionStudentImageIFormFile: fileOf('a.gif', await picture.gif()) },
    );
    expect([status, Object.keys(json.errors).sort()]).toEqual([422, ['admissionStudentImageIFormFile', 'religion']]);
  });
});

describe('contents', () => {
  test('D3 a picture is encoded anew: no place, no text, nothing behind its end, and the right way up', async () => {
    const secret = 'GPS-marker';
    const turned = await sharp({ create: { width: 60, height: 30, channels: 3, background: '#c33' } })
      .withExif({
        IFD0: { Copyright: secret, Artist: '<script>alert(1)</script>' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '21/1 10/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(
      (await savePhoto(fileOf('a.jpg', Buffer.concat([turned, Buffer.from(`PK\u0003\u0004${secret}`)])))).status,
    ).toBe(200);
    const { bytes } = await storedPhoto();
    expect(bytes.includes(secret)).toBe(false);
    expect(bytes.includes('script')).toBe(false);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 30, height: 60 });
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
  });

  test('D4 a picture of 900 megapixels is refused by its header alone', async () => {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(30_000, 0);
    header.writeUInt32BE(30_000, 4);
    header.set([8, 2, 0, 0, 0], 8);
    const bomb = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.alloc(100_000))),
      chunk('IEND', Buffer.alloc(0)),
    ]);
    await savePhoto(fileOf('a.png', await picture.png()));
    const memory = () => Math.max(0, ...pictureProcesses().map(memoryOf));
    const before = memory();
    // The process may end after the refusal, so it is read before.
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, memory());
    }, 5);
    expect(await photoError(fileOf('a.png', bomb))).toEqual([422, 'This picture is too large. Choose a smaller one.']);
    clearInterval(watch);
    expect(most - before).toBeLessThan(50 * megabyte);
  });

  test('W5 D3 compressed texts and profiles of a PNG are dropped unopened: 640 MB of them cost the picture nothing', async () => {
    const bomb = deflateSync(Buffer.alloc(16 * megabyte));
    const zipped = (head: string) => Buffer.concat([Buffer.from(head), bomb]);
    const chunks = [
      ...Array.from({ length: 37 }, () => chunk('zTXt', zipped('Comment\0\0'))),
      chunk('iTXt', zipped('Comment\0\u0001\0\0\0')),
      chunk('iCCP', zipped('profile\0\0')),
      chunk('tEXt', Buffer.from('Comment\0hidden text')),
      chunk('prVt', zipped('anything')),
    ];
    expect((await savePhoto(fileOf('a.png', await picture.png()))).status).toBe(200);
    const begun = process.cpuUsage();
    inflateSync(bomb);
    // In clock ticks, of which a fast machine may need none.
    const unpacking = Math.max(process.cpuUsage(begun).user / 10_000, 1);
    const [decoder, used] = [pictureProcess(), usedBy(pictureProcess())];
    const before = mostMemoryOf(decoder);
    expect((await savePhoto(fileOf('a.png', withChunks(await picture.png(), chunks)))).status).toBe(200);
    // The process that opened it lives on, and has neither worked nor used more memory for it.
    expect(usedBy(decoder) - used).toBeLessThan(20 * unpacking);
    expect(mostMemoryOf(decoder) - before).toBeLessThan(50 * megabyte);
    expect((await storedPhoto()).bytes.includes('hidden')).toBe(false);
  });

  test.each([
    [
      'a chunk longer than the file',
      (png: Buffer) => withChunks(png, [Buffer.from([0x7f, 0xff, 0xff, 0xff, 0x7a, 0x54, 0x58, 0x74])]),
    ],
    ['no end', (png: Buffer) => png.subarray(0, -12)],
    ['its head twice', (png: Buffer) => withChunks(png, [png.subarray(8, 33)])],
    [
      'its head later',
      (png: Buffer) => Buffer.concat([png.subarray(0, 8), chunk('tEXt', Buffer.from('x')), png.subarray(8)]),
    ],
  ])('W5 a PNG with %s is damaged', async (_, broken) => {
    expect(await photoError(fileOf('a.png', broken(await picture.png())))).toEqual([
      422,
      'This file is empty or damaged. Choose another one.',
    ]);
  });

  test('W5 D3 a JPEG keeps what turns it upright and loses every other segment, however many there are', async () => {
    const jpg = await sharp({ create: { width: 60, height: 30, channels: 3, background: '#c33' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const segment = (marker: number) =>
      Buffer.concat([Buffer.from([0xff, marker, 0xff, 0xff]), Buffer.alloc(65_533, 'hidden text')]);
    const extras = [0xe1, 0xe2, 0xe3, 0xed, 0xfe].flatMap((marker) => [segment(marker), segment(marker)]);
    const sent = Buffer.concat([jpg.subarray(0, 2), Buffer.from([0xff]), ...extras, jpg.subarray(2)]);
    expect((await savePhoto(fileOf('a.jpg', sent))).status).toBe(200);
    expect(await sharp((await storedPhoto()).bytes).metadata()).toMatchObject({ width: 30, height: 60 });
    for (const broken of [jpg.subarray(0, 20), Buffer.concat([jpg.subarray(0, 2), Buffer.from([1]), jpg.subarray(2)])])
      expect((await photoError(fileOf('a.jpg', broken)))[0]).toBe(422);
  });

  soak(
    'W2 a PDF that unpacks to 64 MB, or takes more time or memory than it may, is refused, and the server goes on',
    async () => {
      const unclear = 'This PDF may be unsafe. Print it to a new PDF and upload that.';
      const damaged = 'This file is empty or damaged. Choose another one.';
      const packed = deflateSync(Buffer.from('#41'.repeat(22_000_000))).toString('latin1');
      const objects = `6 0 obj << /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${packed.length} >> stream\n${packed}\nendstream endobj`;
      const { status, json } = await upload('a.pdf', pdf('', objects));
      expect([status, json.errors]).toEqual([422, { DocumentIFormFile: unclear }]);
      // An object table that unpacks to 900 MB: pdf.js itself opens it.
      const rows = deflateSync(Buffer.alloc(900 * megabyte)).toString('latin1');
      const hidden = Buffer.from(
        `%PDF-1.5\n1 0 obj << /Type /XRef /Size 100000000 /W [1 4 4] /Root 2 0 R /Filter /FlateDecode /Length ${rows.length} >> stream\n${rows}\nendstream endobj\nstartxref\n9\n%%EOF`,
        'latin1',
      );
      const refused = await upload('a.pdf', hidden);
      expect([refused.status, refused.json.errors?.DocumentIFormFile]).toEqual(
        refused.status === 503 ? [503, undefined] : [422, damaged],
      );
      expect((await upload('a.pdf', pdf())).status).toBe(200);
      await clear();
    },
  );

  test('W8 D5 what only opens an address, or cannot be decided on, is refused in words that help', async () => {
    const active = 'This PDF may be unsafe. Print it to a new PDF and upload that.';
    const unclear = 'This PDF may be unsafe. Print it to a new PDF and upload that.';
    const errorOf = async (bytes: Buffer) => (await upload('a.pdf', bytes)).json.errors;
    expect(await errorOf(pdf('/OpenAction << /S /URI /URI (https://x.example) >>'))).toEqual({
      DocumentIFormFile: active,
    });
    expect(await errorOf(pdf('', '5 0 obj << /X [ >> endobj'))).toEqual({ DocumentIFormFile: unclear });
  });

  soak(
    'D14 a decoder that is killed or hangs takes nothing else with it: 503, and the next picture is saved',
    async () => {
      for (const signal of ['SIGKILL', undefined] as const) {
        expect((await savePhoto(fileOf('a.png', await picture.png()))).status).toBe(200);
        const decoder = pictureProcess();
        onTestFinished(() => tellIfThere(decoder, 'SIGKILL')); // A stopped child delays the run.
        process.kill(decoder, 'SIGSTOP');
        const saving = savePhoto(fileOf('a.png', await picture.png()));
        await pause(300);
        expect((await family.get('basic-info')).status).toBe(200);
        if (signal) process.kill(decoder, signal);
        const { status, json, headers } = await saving;
        expect([status, json.code, headers['retry-after']]).toEqual([503, 'unavailable', '5']);
        await expect.poll(pictureProcesses).not.toContain(decoder);
      }
      expect((await savePhoto(fileOf('a.png', await picture.png()))).status).toBe(200);
    },
  );

  soak(
    'D14 a picture that is out of time because the machine is busy is no damaged one: 503, and it can be sent again',
    async () => {
      const large = await sharp({ create: { width: 6000, height: 6000, channels: 3, background: '#456' } })
        .png()
        .toBuffer();
      expect((await savePhoto(fileOf('a.png', await picture.png()))).status).toBe(200);
      const decoder = pictureProcess();
      onTestFinished(() => tellIfThere(decoder, 'SIGKILL'));
      const before = usedBy(decoder);
      const saving = savePhoto(fileOf('a.png', large));
      // During its work, however fast the machine is.
      while (usedBy(decoder) - before < 5) await pause(5);
      process.kill(decoder, 'SIGSTOP');
      const { status, json } = await saving;
      expect([status, json.code]).toEqual([503, 'unavailable']);
      expect((await savePhoto(fileOf('a.png', large))).status).toBe(200);
    },
  );

  test('D14 the process that opens pictures is given no secrets, and gives way to everything else', async () => {
    await savePhoto(fileOf('a.png', await picture.png()));
    const decoder = pictureProcess();
    const names = readFileSync(`/proc/${decoder}/environ`, 'utf8')
      .split('\0')
      .map((entry) => entry.split('=')[0]);
    expect(names.filter((name) => name && !name.startsWith('NODE_CHANNEL_'))).toEqual([]);
    expect(getPriority(decoder)).toBe(Math.min(19, getPriority() + 5));
  });

  test('D5 a PDF is taken when it opens and holds nothing that acts', async () => {
    expect((await upload('a.pdf', pdf())).status).toBe(200);
    const [row] = (await family.get('documents')).json.data.resultList;
    expect(row.documentFileType).toBe('application/pdf');
    await clear();
    expect((await upload('a.pdf', pdf('/OpenAction [3 0 R /Fit]'))).status).toBe(200);
    await clear();
    // Names that occur by chance inside a stream are only bytes.
    expect(
      (await upload('a.pdf', pdf('', '5 0 obj << /Length 22 >> stream\nxx/JS yy/Launch zz(/XFA\nendstream endobj')))
        .status,
    ).toBe(200);
    await clear();
  });
  test.each([
    ['a script', pdf('/OpenAction << /S /JavaScript /JS (app.alert(1)) >>')],
    ['a script under another spelling', pdf('/OpenAction << /S /J#61vaScript /J#53 (app.alert(1)) >>')],
    ['a program to start', pdf('/OpenAction << /S /Launch /F (cmd.exe) >>')],
    ['a file inside', pdf('/Names << /EmbeddedFiles << /Names [(a) 5 0 R] >> >>')],
    ['a script in a compressed object', pdf('', objectStream('<< /S /JavaScript /JS (app.alert(1)) >>'))],
  ])('D5 a PDF with %s is refused', async (_what, bytes) => {
    const { status, json } = await upload('a.pdf', bytes);
    expect([status, json.errors]).toEqual([
      422,
      {
        DocumentIFormFile: 'This PDF may be unsafe. Print it to a new PDF and upload that.',
      },
    ]);
  });
  test('D5 a PDF with a password is refused as such, and taken where it opens without one', async () => {
    const locked = 'This PDF has a password. Open it, print it to a new PDF and upload that.';
    const latin = (text: string) => Buffer.from(text, 'latin1');
    const changed = (bytes: Buffer, from: string, to: string) => latin(bytes.toString('latin1').replace(from, to));
    for (const bytes of [
      lockedPdfs.toOpen,
      // Its object streams and addresses cannot be read.
      changed(lockedPdfs.toChange, '/Type /Catalog', '/Type /Catalog /OpenAction << /S /URI /URI (abc) >>'),
      changed(
        lockedPdfs.toChange,
        '1 0 obj',
        '9 0 obj << /Type /ObjStm /N 0 /First 0 /Length 0 >> stream\n\nendstream endobj 1 0 obj',
      ),
    ])
      expect((await upload('a.pdf', bytes)).json.errors).toEqual({ DocumentIFormFile: locked });
    const script = changed(
      lockedPdfs.toChange,
      '/Type /Catalog',
      '/Type /Catalog /OpenAction << /S /JavaScript /JS (a) >>',
    );
    expect((await upload('a.pdf', script)).json.errors).toEqual({
      DocumentIFormFile: 'This PDF may be unsafe. Print it to a new PDF and upload that.',
    });
    expect((await upload('a.pdf', lockedPdfs.toChange)).status).toBe(200);
    await clear();
  });
  test('D5 a PDF is kept from its head on, which is within the first 1,024 bytes, and must open', async () => {
    for (const before of ['\r\n', '\u00ef\u00bb\u00bf', '<script>alert(1)</script>', 'x'.repeat(1019)]) {
      expect((await upload('document:12', pdf('', '', before))).status).toBe(200);
      const [row] = (await family.get('documents')).json.data.resultList;
      expect((await family.get(`files/${row.documentFilePath}`)).bytes.toString('latin1')).toBe(
        pdf().toString('latin1'),
      );
      await clear();
    }
    expect((await upload('a.pdf', pdf('', '', 'x'.repeat(1020)))).json.errors).toEqual({
      DocumentIFormFile: 'File select valid file',
    });
    expect((await upload('a.pdf', Buffer.from('%PDF-1.4 and nothing else'))).json.errors).toEqual({
      DocumentIFormFile: 'This file is empty or damaged. Choose another one.',
    });
  });
});

describe('the store', () => {
  const hostile = [
    '../../etc/passwd.jpg',
    '..\\..\\win.jpg',
    'a\u0000b.jpg',
    `${'ક'.repeat(300)}.jpg`,
    '<img src=x>.jpg',
    'a"; drop.jpg',
    'CON.jpg',
    '.jpg',
    'a.php.jpg',
    '\u202egpj.exe.jpg',
    'a b\r\nX-Evil: 1.jpg',
    '%2e%2e%2f.jpg',
    'C:\\x.jpg',
    'name\u200b.jpg',
    'નામ.jpg',
  ];

  test('D7 keeps a file under a random name, for us alone, encrypted, whatever it was called', async () => {
    for (const name of hostile) {
      expect((await upload(name, await picture.jpg())).status, name).toBe(200);
      const [row] = (await family.get('documents')).json.data.resultList;
      const disposition = String((await family.get(`files/${row.documentFilePath}`)).headers['content-disposition']);
      expect(disposition).toMatch(/^inline; filename="[ -~]*\.jpg"; filename\*=UTF-8''[^\s"]*\.jpg$/);
      expect(disposition).not.toMatch(/[/\\]|\.\./);
      await clear();
    }
    const files = storedFiles();
    expect(files.length).toBeGreaterThan(0);
    for (const { parentPath, name } of files) {
      expect(name).toMatch(/^[0-9a-f-]{36}$/);
      expect(statSync(join(parentPath, name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(parentPath, name)).includes(Buffer.from([0xff, 0xd8, 0xff, 0xdb]))).toBe(false);
    }
    expect(await school.sql(`select count(*)::int as rows from file where length(name) > 255`)).toEqual([{ rows: 0 }]);
  });

  test('D8 serves a file with headers under which nothing in it can act', async () => {
    await savePhoto(await photo());
    const { headers } = await storedPhoto();
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect((await upload('a.pdf', pdf())).status).toBe(200);
    const [row] = (await family.get('documents')).json.data.resultList;
    expect(String((await family.get(`files/${row.documentFilePath}`)).headers['content-disposition'])).toMatch(
      /^attachment;/,
    );
    await clear();
  });

  test('D9 gives a file to its own family alone, until the form is submitted', async () => {
    const [stranger, other] = [await school.inquiry(), await school.inquiry()];
    await other.fillAll();
    for (const { id } of await school.sql(`select id from file where owner_id = ${other.id}`)) {
      expect((await other.get(`files/${id}`)).status).toBe(200);
      expect((await stranger.get(`files/${id}`)).status).toBe(404);
      expect((await school.send({ url: `/api/admission/files/${id}` })).status).toBe(404);
    }
  });

  test('D11 holds at most 20 files and 60 MB of one family', async () => {
    const full = await school.inquiry();
    const rows = (count: number, bytes: number) =>
      school.sql(`insert into file (id, owner, owner_id, media_type, name, bytes, sha256)
        select gen_random_uuid(), 'admission_inquiry', ${full.id}, 'image/png', 'x.png', ${bytes}, decode(repeat('00', 32), 'hex') from generate_series(1, ${count})`);
    await rows(19, 10);
    expect((await full.upload('Birth Certificate')).status).toBe(200);
    expect((await full.upload('Aadhar Card')).status).toBe(413);
    await school.sql(`delete from file where owner_id = ${full.id} and name = 'x.png'`);
    await rows(1, 60 * megabyte);
    const refused = await full.upload('Aadhar Card');
    expect([refused.status, refused.json.code]).toEqual([413, 'too_large']);
  });

  test('finds who still refers to a file without reading a table whole', async () => {
    const unindexed = await school.sql(`
      select conrelid::regclass::text || '.' || attname as column
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where contype = 'f' and confrelid = 'file'::regclass and conrelid <> 'academic_school'::regclass
        and not exists (select from pg_index where indrelid = conrelid and indkey[0] = attnum)`);
    expect(unindexed).toEqual([]);
  });

  test('takes a file away again when its save is not kept', async () => {
    const count = () => storedFiles().length;
    await upload('a.jpg', await picture.jpg(), 'Birth Certificate');
    const before = count();
    expect((await upload('a.jpg', await picture.jpg(), 'Birth Certificate')).status).toBe(409);
    expect(count()).toBe(before);
    await clear();
  });
});

describe('one request', () => {
  test('D13 holds one file of a field, no unknown one, and bounded text', async () => {
    const jpg = await picture.jpg();
    const two = form(basicInfoAnswers, { admissionStudentImageIFormFile: fileOf('a.jpg', jpg) });
    two.append('admissionStudentImageIFormFile', fileOf('b.jpg', jpg));
    expect((await family.post('basic-info', two)).status).toBe(400);
    expect((await family.post('basic-info', form(basicInfoAnswers, { other: fileOf('a.jpg', jpg) }))).status).toBe(400);
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field${index}`, 'x']));
    expect((await family.post('basic-info', form(many))).status).toBe(400);
    expect((await family.post('basic-info', form({ religion: 'x'.repeat(200_000) }))).status).toBe(400);
    expect((await family.post('basic-info', form({ ['n'.repeat(1_000_000)]: 'x' }))).status).toBe(400);
    const twice = form(basicInfoAnswers);
    twice.append('religion', 'Jain');
    expect((await family.post('basic-info', twice)).status).toBe(400);
  });

  test('D13 without its end is refused', async () => {
    const body = Buffer.from('--x\r\nContent-Disposition: form-data; name="religion"\r\n\r\nJain\r\n');
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(
      (await school.send({ method: 'POST', url: `/api/admission/basic-info?inquiryNo=${family.link}`, body, headers }))
        .status,
    ).toBe(400);
  });

  test('D13 F4 a text that calls itself JSON is refused: nested deeply enough it would overflow the stack', async () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    const part = 'Content-Disposition: form-data; name="religion"\r\nContent-Type: application/json';
    const answer = await school.send({
      method: 'POST',
      url: `/api/admission/basic-info?inquiryNo=${family.link}`,
      body: Buffer.from(`--x\r\n${part}\r\n\r\n${deep}\r\n--x--\r\n`),
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'idempotency-key': 'a-deep-answer' },
    });
    expect([answer.status, answer.json.code]).toEqual([400, 'malformed']);
  });

  soak('D14 of twenty large pictures at once, none holds up anyone else', async () => {
    const noise = await sharp({
      create: {
        width: 1400,
        height: 1000,
        channels: 3,
        background: '#fff',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
      .jpeg({ quality: 90 })
      .toBuffer();
    expect(noise.length).toBeGreaterThan(500_000);
    const families = await Promise.all(Array.from({ length: 20 }, () => school.inquiry()));
    let isDone = false;
    const uploads = Promise.all(
      families.map((family) =>
        family.saveBasicInfo({}, { admissionStudentImageIFormFile: fileOf('a.jpg', noise.subarray()) }),
      ),
    ).finally(() => {
      isDone = true;
    });
    const waits: number[] = [];
    while (!isDone) {
      const started = performance.now();
      await school.send({ url: '/healthz' });
      waits.push(performance.now() - started);
      await new Promise((go) => setTimeout(go, 5));
    }
    expect((await uploads).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(waits.length).toBeGreaterThan(20);
    expect(waits.sort((wait, other) => wait - other)[Math.floor(waits.length * 0.99)]).toBeLessThan(200);
  });
});

/** The temporary files this process has open; their names are already deleted. */
const temporary = () =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(join(school.config.folder, 'temp')) ? [{ path, fd: `/proc/self/fd/${fd}` }] : [];
    } catch {
      return []; // The file was closed in the meantime.
    }
  });

describe('a body that is still arriving', () => {
  const begin = (size: number, bytes: Buffer) =>
    Buffer.concat([
      Buffer.from(
        `POST /api/admission/basic-info?inquiryNo=${family.link} HTTP/1.1\r\nHost: localhost\r\n` +
          `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${size}\r\n\r\n` +
          '--x\r\nContent-Disposition: form-data; name="admissionStudentImageIFormFile"; filename="a.jpg"\r\n\r\n',
      ),
      bytes,
    ]);

  test('W5 D1 lies in a file that has no name, belongs to us alone and is sealed, and is gone when the sender is', async () => {
    const secret = Buffer.from('a child of Surat, '.repeat(100_000));
    const sockets = await Promise.all(Array.from({ length: 3 }, dial));
    for (const socket of sockets) socket.on('error', () => undefined).write(begin(4 * megabyte, secret));
    await expect.poll(() => temporary().filter(({ fd }) => statSync(fd).size > megabyte).length).toBe(3);
    expect(readdirSync(join(school.config.folder, 'temp'))).toEqual([]);
    for (const { path, fd } of temporary()) {
      expect(path).toMatch(/\(deleted\)$/);
      expect(statSync(fd).mode & 0o777).toBe(0o600);
      expect(readFileSync(fd).includes('a child of Surat')).toBe(false);
    }
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => temporary().length).toBe(0);
  });

  test('W5 D1 leaves nothing behind when it was saved, refused for its size or for another field', async () => {
    const bytes = await picture.png();
    expect((await savePhoto(fileOf('a.png', grown(bytes, megabyte)))).status).toBe(200);
    expect((await savePhoto(fileOf('a.png', grown(bytes, 3 * megabyte)))).status).toBe(413);
    const large = fileOf('a.png', grown(bytes, megabyte));
    expect(
      (await family.post('basic-info', form({}, { admissionStudentImageIFormFile: large, other: large }))).status,
    ).toBe(400);
    expect((await family.saveBasicInfo({ religion: '' }, { admissionStudentImageIFormFile: large })).status).toBe(422);
    expect(temporary()).toEqual([]);
  });
});

const storedFiles = () =>
  readdirSync(join(school.config.folder, 'files'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );

function objectStream(object: string): string {
  const packed = deflateSync(Buffer.from(`5 0 ${object}`)).toString('latin1');
  return `6 0 obj << /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${packed.length} >> stream\n${packed}\nendstream endobj`;
}

/** A chunk of a PNG. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG with these chunks after its first one, which ends at byte 33. */
const withChunks = (png: Buffer, chunks: Buffer[]) => Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
