import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { activateCatalogue, translate } from '#kit/browser/text.ts';
import type { Language } from '#kit/contract/languages.ts';
import type { Text } from '#kit/contract/text.ts';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { allExamples } from '#testing/examples.ts';
import { create } from '#testing/masters.ts';
import { pagesOf } from '#testing/pdf.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { type EnrolmentPlace, enroll } from '#testing/students.ts';
import { inTrial, outsideBrackets, readTexts } from '#testing/trial.ts';
import { allMessages } from './features.server.ts';

// What the server writes in English or for a family is in the trial language here.
const reader = vi.hoisted(() => ({ read: undefined as ((text: Text) => string) | undefined }));
vi.mock('#kit/contract/text.ts', async (load) => {
  const real = await load<typeof import('#kit/contract/text.ts')>();
  return { ...real, english: (text: Text) => (reader.read ?? real.english)(text) };
});
vi.mock('#kit/server/language/say.ts', async (load) => {
  const real = await load<typeof import('#kit/server/language/say.ts')>();
  return { ...real, say: (language: Language) => reader.read ?? real.say(language) };
});

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openOwnSchool();
  admin = await school.person({ role: 'Admin', name: 'Asha Shah' });
  activateCatalogue('en', inTrial(await readTexts()));
});
afterAll(() => school.close());

async function inTrialLanguage<Made>(make: () => Promise<Made>): Promise<Made> {
  reader.read = translate;
  try {
    return await make();
  } finally {
    reader.read = undefined;
  }
}

const idOf = async (statement: string) => Number((await school.sql(statement))[0]?.id);
const ofMessages = allExamples('messages');

// Walks all: each message is its own template, rendered without a request.
test.each(Object.entries(allMessages))('the message %s is whole in the trial language', async (name, template) => {
  const example = await ofMessages[name]?.(school, admin);
  if (!example) throw new Error(`${name} needs an example in messages of its feature’s examples.ts.`);
  const message = await inTrialLanguage(() => render(school.services, template, example.subjectId));
  expect(message?.subject).toMatch(/^«.*»$/);
  // A family's own words form a separate paragraph.
  expect(outsideBrackets([message?.text ?? 'nothing'])).toEqual([]);
});

test('a promotion list is whole in the trial language', async () => {
  const place = (await create(admin, sectionMaster)) as unknown as EnrolmentPlace;
  const [year, grade] = [await create(admin, yearMaster), await create(admin, gradeMaster)];
  const { academicYearId, gradeId } = place;
  await school.sql(`update academic_grade set next_grade_id = ${grade.id} where id = ${gradeId}`);
  const students = [];
  for (const decision of ['Promote', 'Detain', 'Leave'])
    students.push({ enrollmentId: await enroll(school, place, 'Diya'), decision });
  const body = { academicYearId, gradeId, toYearId: year.id, keepsSection: false, students };
  const promote = (more = {}) =>
    admin.send({ method: 'POST', url: '/api/academic/section-student/promotion', body: { ...body, ...more } });
  await promote({ confirmToken: (await promote()).json.confirmToken });
  const id = await idOf('select max(id) as id from academic_promotion');
  school.papers.isReal = true;
  const list = await inTrialLanguage(() => admin.send({ url: `/api/academic/section-student/promoted/${id}` }));
  const pages = await pagesOf(list.bytes);
  expect(pages.join()).toContain('«Proomootiioon liist»');
  const entered = JSON.stringify([
    await school.sql('select * from academic_school'),
    await school.sql('select name from academic_grade'),
    await school.sql('select name, gr_no from student'),
  ]);
  const words = outsideBrackets([pages.join(' ')]).flatMap((rest) => rest.match(/\p{L}[\p{L}\d]*/gu) ?? []);
  expect(words.filter((word) => !entered.includes(word))).toEqual([]);
});
