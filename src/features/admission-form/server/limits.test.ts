import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '#testing/exchange.ts';
import { type Family, form, openOwnSchool, photo, type School } from '#testing/school.ts';
import { isSoak } from '#testing/soak.ts';

let school: School;
let behindProxy: School;
beforeAll(async () => {
  school = await openOwnSchool();
  behindProxy = await openOwnSchool({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(async () => {
  await school.close();
  await behindProxy.close();
});

const guess = (at: School, address: string, index: number) =>
  at.send({
    url: `/api/admission/inquiry?inquiryNo=${String(index).padStart(32, '0')}`,
    headers: { 'x-forwarded-for': address },
  });
/** Enough requests at once to race, but few enough that none waits too long for a connection. */
const inWaves = async (count: number, send: (index: number) => Promise<Answer>, atOnce = 20) => {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const first = answers.length;
    const wave = Array.from({ length: Math.min(atOnce, count - first) }, (_, index) => send(first + index));
    answers.push(...(await Promise.all(wave)));
  }
  return answers;
};
const guesses = async (at: School, count: number, address: (index: number) => string) =>
  (await inWaves(count, (index) => guess(at, address(index), index))).map(({ status }) => status);
const passed = (statuses: number[]) => statuses.filter((status) => status !== 429).length;

test('G1 of 200 unknown links of one address at once 30 are looked up; the others are told how long to wait', async () => {
  expect(passed(await guesses(behindProxy, 200, () => '198.51.100.1'))).toBe(30);
  const { headers } = await guess(behindProxy, '198.51.100.1', 1);
  expect(Number(headers['retry-after'])).toBeGreaterThan(3000);
});

test('G1 of 40 uploads of one family within an hour 30 are taken, refused files included, and others are not touched', async () => {
  const [family, other] = [await school.inquiry(), await school.inquiry()];
  const damaged = new File(['\x89PNG no picture'], 'x.png');
  const send = () => family.post('basic-info', form({}, { admissionStudentImageIFormFile: damaged }));
  const answers = await inWaves(40, send, 3);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  const refused = answers.find(({ status }) => status === 429);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3000);
  expect(refused?.json.errors.admissionStudentImageIFormFile).toMatch(/^Too many attempts/);
  expect((await family.saveHealth()).status).toBe(200);
  expect((await other.saveBasicInfo({}, { admissionStudentImageIFormFile: await photo() })).status).toBe(200);
});

/** The address the school's server listens on. */
async function portOf({ app }: School): Promise<number> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

/** A family that has sent its hourly limit of files. */
async function exhausted(): Promise<Family> {
  const family = await school.inquiry();
  await school.sql(`insert into attempt (kind, subject, hits, window_ends)
    values ('upload', 'link:${family.id}', 30, now() + interval '1 hour')`);
  return family;
}

const filePart = '--x\r\nContent-Disposition: form-data; name="FamilyImageIFormFile"; filename="a.jpg"\r\n\r\n\xff';
const textPart = '--x\r\nContent-Disposition: form-data; name="nothing"\r\n\r\n\r\n';

test('W5 G1 an upload too many is refused before its file is read, and its connection answers the next request', async () => {
  const { link } = await exhausted();
  const socket = connect(await portOf(school), '127.0.0.1');
  let answered = '';
  socket.on('data', (data) => {
    answered += data;
  });
  const size = 3 * 1024 * 1024;
  socket.write(
    `POST /api/admission/parent-info?inquiryNo=${link} HTTP/1.1\r\nHost: localhost\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${size}\r\n\r\n${textPart}${filePart}`,
    'latin1',
  );
  await expect.poll(() => answered).toMatch(/^HTTP\/1.1 429 .*"FamilyImageIFormFile":"Too many attempts/s);
  socket.write(Buffer.alloc(size - textPart.length - filePart.length));
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(() => answered.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 429', 'HTTP/1.1 200']);
  socket.destroy();
});

test('W5 a client that sends all of its file before it listens reads why it is refused', async () => {
  const { link } = await exhausted();
  const url = `http://127.0.0.1:${await portOf(school)}/api/admission/basic-info?inquiryNo=${link}`;
  const large = new File([new Uint8Array(4 * 1024 * 1024)], 'a.jpg');
  for (let times = 0; times < 5; times++) {
    const answer = await fetch(url, { method: 'POST', body: form({}, { admissionStudentImageIFormFile: large }) });
    expect([answer.status, await answer.json()]).toMatchObject([
      429,
      { errors: { admissionStudentImageIFormFile: expect.stringMatching(/^Too many attempts/) } },
    ]);
  }
});

test('W5 a form whose optional file is left out is no upload, and one whose file has no name is', async () => {
  const family = await exhausted();
  for (const file of [null, new File([], '')]) {
    const { status } = await family.saveHealth({}, { VaccinationFileIFormFile: file });
    expect(status).toBe(200);
  }
  expect((await family.saveHealth({}, { VaccinationFileIFormFile: new File(['x'], '') })).status).toBe(429);
});

test('G2 X-Forwarded-For counts only behind a configured proxy: elsewhere a spoofed one does not reset the limit', async () => {
  expect(passed(await guesses(school, 60, (index) => `203.0.113.${index}`))).toBe(30);
  expect(passed(await guesses(behindProxy, 60, (index) => `203.0.113.${index}`))).toBe(60);
});

test('G4 families behind one address, five hundred in soak, are served, also while somebody there guesses links', async () => {
  const address = { 'x-forwarded-for': '198.51.100.77' };
  await guesses(behindProxy, 40, () => '198.51.100.77');
  const families: Family[] = [];
  for (let number = 0; number < 25; number++) families.push(await behindProxy.inquiry());
  for (let round = 0; round < (isSoak ? 20 : 3); round++) {
    const answers = await Promise.all(
      families.map(({ link }) =>
        behindProxy.send({ url: `/api/admission/inquiry?inquiryNo=${link}`, headers: address }),
      ),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  }
});
