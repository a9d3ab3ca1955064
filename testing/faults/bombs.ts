import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { type Family, fileOf, openOwnSchool, type Postgres, photo, type School } from '../school.ts';
import { startApp } from './app.ts';
import { begin, type Outcome } from './outcome.ts';

const megabyte = 1024 * 1024;
/** Milliseconds within which another family's photo must be saved during the attack. */
const savedWithin = 2000;
/** The most additional memory of the server and its processes afterwards, once idle processes have ended. */
const mostKept = 100 * megabyte;
const settledAfter = 70_000;

/**
 * Sends files that are made to break, block or fill the process that opens them, singly and four at once: each is
 * refused, other families are served, and the memory is freed (W2, W5, W24).
 */
export async function bombs(postgres?: Postgres): Promise<Outcome> {
  const outcome = begin('bombs');
  const school = await openOwnSchool({}, postgres);
  const app = await startApp(school);
  const { pid } = app.child();
  try {
    const [attacker, other] = [await app.family(), await app.family()];
    const attackers = [attacker, await app.family(), await app.family(), await app.family()];
    const admin = await school.person({ name: 'Asha', role: 'Admin' });
    const all = await makeBombs();
    await savePhoto(other, outcome);
    await attacker.upload('Other', { otherDocumentDescription: 'x' }, fileOf('a.pdf', smallPdf));
    const before = residentBytes(pid ?? 0);

    let isOver = false;
    const saving = (async () => {
      for (let turn = 0; !isOver; turn++) {
        // A family may send thirty files an hour.
        const family = turn % 20 === 0 ? await app.family() : other;
        await savePhoto(family, outcome);
        await school.sql('delete from attempt');
        await pause(200);
      }
    })();
    const throwOne = async (family: Family, [name, bytes]: [string, Buffer]) => {
      const answer = await send(family, name, bytes);
      outcome.runs++;
      if (![413, 422, 429, 503].includes(answer)) outcome.breaches.push(`${name} was answered ${answer}`);
    };
    for (let round = 0; round < 4; round++) for (const bomb of all) await throwOne(attacker, bomb);
    await Promise.all(attackers.flatMap((family) => all.map((bomb) => throwOne(family, bomb))));
    await importBomb(school, admin, outcome);
    isOver = true;
    await saving;

    await pause(settledAfter);
    const kept = residentBytes(pid ?? 0) - before;
    if (kept > mostKept) outcome.breaches.push(`${Math.round(kept / megabyte)} MB more are held than before`);
    if (app.child().pid !== pid || app.child().exitCode !== null) outcome.breaches.push('the server was started again');
  } finally {
    await app.kill();
    await school.close();
  }
  return outcome;
}

async function savePhoto(family: Family, outcome: Outcome) {
  const started = performance.now();
  const { status } = await family
    .saveBasicInfo({}, { admissionStudentImageIFormFile: await photo() })
    .catch(() => ({ status: 0 }));
  const took = performance.now() - started;
  outcome.worstFirstAnswer = Math.max(outcome.worstFirstAnswer, took);
  if (status === 200) outcome.acknowledged++;
  else outcome.breaches.push(`another family's photo was answered ${status}`);
  if (took > savedWithin) outcome.late.push(`another family's photo took ${Math.round(took)} ms`);
}

const send = (family: Family, name: string, bytes: Buffer) =>
  family.upload('Other', { otherDocumentDescription: 'x' }, fileOf(name, bytes)).then(
    ({ status }) => status,
    () => 0,
  );

/** 2 MB of the shortest rows, which take the longest to parse. */
async function importBomb(school: School, admin: Awaited<ReturnType<School['person']>>, outcome: Outcome) {
  const file = `Name\n${'x\n'.repeat(megabyte - 10)}`;
  const url = `/api/academic/board/import`;
  const { status } = await admin.send({ method: 'POST', url, body: { file } });
  if (status !== 422) outcome.breaches.push(`a table was answered ${status}`);
  await school.sql('delete from attempt');
}

const smallPdf = Buffer.from(
  '%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n' +
    '3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >> endobj\ntrailer << /Root 1 0 R /Size 4 >>\n%%EOF',
);

async function makeBombs(): Promise<[string, Buffer][]> {
  const drawn = sharp({ create: { width: 40, height: 40, channels: 3, background: '#0b6e6e' } });
  const [png, jpg] = [await drawn.png().toBuffer(), await drawn.jpeg().toBuffer()];
  const texts = Array.from({ length: 40 }, () => chunk('zTXt', zipped('a\0\0', 40 * megabyte)));
  const header = Buffer.from([0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 8, 2, 0, 0, 0]);
  const huge = [png.subarray(0, 8), chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(100_000)))];
  const scans = await sharp({ create: { width: 6000, height: 6000, channels: 3, background: '#456' } })
    .jpeg({ progressive: true })
    .toBuffer();
  const packed = (size: number, what: string | number) => deflateSync(Buffer.alloc(size, what)).toString('latin1');
  const stream = (dict: string, content: string) =>
    `${dict} /Filter /FlateDecode /Length ${content.length} >> stream\n${content}\nendstream endobj`;
  const names = stream('6 0 obj << /Type /ObjStm /N 1 /First 4', packed(64 * megabyte, '#41'));
  // Each object is two references to the next one: opening it naively takes 2^150 steps.
  const twice = (number: number) => `${number} 0 obj ${number + 1} 0 R endobj\n`.repeat(2);
  const references = Array.from({ length: 150 }, (_, index) => twice(10 + index)).join('');
  const opened = smallPdf.toString('latin1').replace('/Pages 2 0 R', '/Pages 2 0 R /OpenAction 10 0 R');
  const table = stream('1 0 obj << /Type /XRef /Size 90000000 /W [1 4 4] /Root 2 0 R', packed(900 * megabyte, 0));
  return [
    // The pixels are valid, but the last chunk is broken, so every one of these is refused.
    ['texts.png', Buffer.concat([png.subarray(0, 33), ...texts, png.subarray(33, -12)])],
    ['huge.png', Buffer.concat([...huge, chunk('IEND', Buffer.alloc(0))])],
    ['scans.jpg', scans.subarray(0, -scans.length / 2)],
    ['cut.jpg', jpg.subarray(0, jpg.length / 2)],
    ['names.pdf', Buffer.from(`${smallPdf.toString('latin1')}\n${names}`, 'latin1')],
    ['references.pdf', Buffer.from(`${opened}\n${references}`, 'latin1')],
    ['table.pdf', Buffer.from(`%PDF-1.5\n${table}\nstartxref\n9\n%%EOF`, 'latin1')],
  ];
}

const zipped = (head: string, size: number) => Buffer.concat([Buffer.from(head), deflateSync(Buffer.alloc(size))]);

function chunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type), data]);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The memory of a process and its children together. */
function residentBytes(pid: number): number {
  let all = 0;
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
      if (Number(entry) !== pid && Number(parent) !== pid) continue;
      all += Number(readFileSync(`/proc/${entry}/statm`, 'utf8').split(' ')[1]) * 4096;
    } catch {
      // The process has ended.
    }
  }
  return all;
}
