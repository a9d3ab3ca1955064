import jsqr from 'jsqr';
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { educationAnswers } from '#database/seed/answers.ts';
import type { Person } from '#testing/browser.ts';
import { requestCorrection } from '#testing/correction.ts';
import { bare } from '#testing/papers.ts';
import { pagesOf } from '#testing/pdf.ts';
import { type Family, familyInquiry, openSchool, type School } from '#testing/school.ts';

let school: School;
let office: Person;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', role: 'Staff', sets: ['office'] });
  await school.sql(`update academic_school set name = 'Teak Tree School', phone = '0261 222 1100'`);
});
afterAll(() => school.close());
beforeEach(async () => {
  school.clock.now = undefined;
  school.papers.isReal = false;
  await school.sql('delete from attempt');
});

const print = ({ id }: Family, person = office) => person.send({ method: 'GET', url: `/api/review/${id}/print` });

/** What the printed form is set from. */
async function wordsOf(family: Family): Promise<string> {
  expect((await print(family)).status).toBe(200);
  return school.papers.last().words;
}

/** Every glyph of a PDF, by its letters. */
async function glyphsOf(bytes: Buffer) {
  const file = await getDocument({ data: new Uint8Array(bytes) }).promise;
  const glyphs: (string | undefined)[] = [];
  for (let number = 1; number <= file.numPages; number++) {
    const { fnArray, argsArray } = await (await file.getPage(number)).getOperatorList();
    const shown = argsArray.filter((_, index) => fnArray[index] === OPS.showText);
    glyphs.push(...shown.flatMap(([signs]: [{ unicode?: string }[]]) => signs.map(({ unicode }) => unicode)));
  }
  return { glyphs, info: (await file.getMetadata()).info };
}

const gujarati = 'ક્ષત્રિય વિદ્યાર્થી';
const hindi = 'श्रीमती क्षत्रिय';

async function submitted(parents: Record<string, unknown> = {}): Promise<Family> {
  const family = await school.inquiry({ ...familyInquiry, firstName: gujarati, motherFirstName: hindi });
  await family.fillAll();
  if (Object.keys(parents).length > 0) expect((await family.saveParentInfo(parents)).status).toBe(200);
  expect((await family.post('education-history', educationAnswers)).status).toBe(200);
  expect((await family.submit()).status).toBe(200);
  return family;
}

test('B22 the PDF has every answer, number, time, masked Aadhaar, and names in Gujarati and Hindi with their conjuncts', async () => {
  school.papers.isReal = true;
  const family = await submitted({ otherFamilyIssueDtl: 'First paragraph.\n\nSecond paragraph.' });
  await school.sql(`update admission_inquiry set received_at = '2026-11-25T18:40:00Z' where id = ${family.id}`);
  const { status, headers, bytes } = await print(family);
  expect([status, headers['content-type']]).toEqual([200, 'application/pdf']);
  const pages = await pagesOf(bytes);
  expect(pages.length).toBeGreaterThan(2);
  for (const [index, page] of pages.entries()) {
    expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    expect(page).toContain(family.inquiryNo);
  }
  const words = bare(pages.join(''));
  for (const said of [
    'Teak Tree School',
    'Admission form',
    `Inquiry number: ${family.inquiryNo}`,
    'Submitted on: 26 Nov 2026, 00:10',
    'Status: Received',
    'Academic year: 2026-27',
    'Grade: ',
    'Aadhar Card No XXXX XXXX 1234',
    'Birth Date 12 Mar 2020',
    'Transport Service Yes',
    'Child Photo child.jpg',
    'Same as present address Yes',
    'Father First Name Nikhil',
    'Which sector do you work with? Manufacturing',
    'Choose the specialty closest to your work Textiles',
    'Can you offer an internship? May Be',
    'First paragraph. Second paragraph.',
    'Will your child live with you in this town? Yes',
    'Schools attended Nursery to UKG: Little Steps Preschool, State, Surat',
    'Does your child suffer from allergies? No',
    'Emergency contact 2 First Name Kavita',
    'Other languages your child knows Hindi, English',
    'Uploaded documents Birth Certificate paper.jpg Aadhar Card paper.jpg',
    'by Meena',
  ])
    expect(words).toContain(bare(said));
  expect(words).not.toContain('12345678');
  for (const name of [gujarati, hindi]) expect(words).toContain(bare(name));
  const { glyphs, info } = await glyphsOf(bytes);
  for (const conjunct of ['ક્ષ', 'क्ष']) expect(glyphs).toContain(conjunct);
  expect(info).toMatchObject({ Title: 'Admission form', Author: 'Teak Tree School', Language: 'en' });
  expect(
    await school.sql(`select actor from audit where action = 'admission.form.printed' and entity_id = ${family.id}`),
  ).toEqual([{ actor: 'Meena' }]);
  expect(await school.sql(`select hits from attempt where kind = 'taken-names'`)).toEqual([{ hits: 1 }]);
});

test('B22 a question that was not asked is left out, and one without an answer says so', async () => {
  const words = await wordsOf(await submitted());
  for (const absent of ['Describe the allergies', 'Divorce document', 'Relationship with the guardian', 'Employee ID'])
    expect(words).not.toContain(bare(absent));
  expect(words.split(bare('Which sector do you work with?'))).toHaveLength(2);
  expect(words).toContain(bare('Other family information the school should know Not provided'));
});

test('B22 what was last submitted is printed while a correction is open', async () => {
  const family = await submitted();
  await requestCorrection(school, family, { staffId: office.staffId, pages: [2] });
  expect((await family.saveParentInfo({ fatherHobbies: 'Chess' }, {})).status).toBe(200);
  const frozen = await wordsOf(family);
  expect([frozen.includes('HobbiesCricket'), frozen.includes('Chess')]).toEqual([true, false]);
  expect((await family.post('correction', {})).status).toBe(200);
  expect(await wordsOf(family)).toContain('HobbiesChess');
});

test('B22 a waiver that was given after the submission hides no answer', async () => {
  const family = await submitted();
  await school.sql(`update admission_inquiry set father_waived_reason = 'Abroad' where id = ${family.id}`);
  expect(await wordsOf(family)).toContain(bare('Patel Textiles'));
});

test('a form that was never submitted has no PDF, and the eleventh within an hour is refused', async () => {
  expect((await print(await school.inquiry())).status).toBe(404);
  const family = await submitted();
  await school.sql(`insert into attempt (kind, subject, hits, window_ends)
    values ('form-print', '${family.id}', 10, now() + interval '1 hour')`);
  expect((await print(family)).status).toBe(429);
});

// The types declare a default export, which Node has already taken.
const readCode = jsqr as unknown as typeof jsqr.default;

/** What pdfjs draws on in Node; its types know only a browser's canvas. */
interface CanvasFactory {
  create: (width: number, height: number) => { canvas: never; context: { getImageData: (...box: number[]) => Pixels } };
}
interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** The first page of a PDF as pixels. */
async function drawn(bytes: Buffer) {
  const file = await getDocument({ data: new Uint8Array(bytes) }).promise;
  const page = await file.getPage(1);
  const viewport = page.getViewport({ scale: 2 });
  const [width, height] = [Math.ceil(viewport.width), Math.ceil(viewport.height)];
  const { canvas, context } = (file.canvasFactory as CanvasFactory).create(width, height);
  await page.render({ canvas, canvasContext: context as never, viewport }).promise;
  return context.getImageData(0, 0, width, height);
}

const slip = (id: number) => office.send({ method: 'POST', url: `/api/inquiry/${id}/slip`, body: {} });

test("the slip's QR code leads to the short link", async () => {
  school.papers.isReal = true;
  const family = await school.inquiry({ ...familyInquiry, firstName: gujarati, state: 'New' });
  const { status, headers, bytes } = await slip(family.id);
  expect([status, headers['content-type']]).toEqual([200, 'application/pdf']);
  const { data, width, height } = await drawn(bytes);
  const address = readCode(new Uint8ClampedArray(data), width, height)?.data ?? '';
  expect(address).toMatch(/\/a\/[1-9A-Za-z]{10}$/);
  const { headers: led } = await school.send({ url: new URL(address).pathname });
  expect(led.location).toBe(`/admission?inquiryNo=${family.link}`);

  const pages = await pagesOf(bytes);
  expect(pages).toHaveLength(1);
  const words = bare(pages.join(''));
  for (const said of ['Teak Tree School', 'Fill in the admission form', address, 'Works until', '0261 222 1100'])
    expect(words).toContain(bare(said));
  expect((await glyphsOf(bytes)).glyphs).toContain('ક્ષ');
  expect(await school.sql(`select state from admission_inquiry where id = ${family.id}`)).toEqual([
    { state: 'Form sent' },
  ]);
  const acts = await school.sql(`select action from audit where actor = 'Meena' and entity_id = ${family.id}`);
  expect(acts).toEqual([{ action: 'admission.link.copied' }]);
});

test('a submitted form has no slip', async () => {
  expect((await slip((await submitted()).id)).json.error.code).toBe('conflict');
});
