import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { additionalInfoAnswers } from '#database/seed/answers.ts';
import { configure } from '#features/school/ui/configuration.ts';
import {
  descriptionOf,
  enter,
  expectPage,
  expectProblems,
  field,
  fill,
  openForm,
  page,
  press,
  refused,
  saveAndNext,
  says,
  setChecked,
  summaries,
  summary,
} from '#testing/form-page.tsx';

const save = 'POST /api/admission/additional-info';
const savesOf = ({ sent }: { sent: { method: string; path: string; fields: object; key: string | null }[] }) =>
  sent.filter(({ method, path }) => `${method} ${path}` === save);

/** The same for both emergency contacts. */
const both = (values: Record<string, string>) =>
  Object.fromEntries(
    [1, 2].flatMap((number) =>
      Object.entries(values).map(([name, value]) => [`emergencyContact${number}${name}`, value]),
    ),
  );

test('S009 Previous on page 4 goes to page 3, Save and Next to page 5 once the save succeeds', async () => {
  const data = { lstStudentAdmissionAdditionalInfoModel: [], rowVersion: null };
  const server = await openForm('/admission3', { pages: 4 });
  const taken = server.answers[save];
  server.answers[save] = { isSuccess: false, ...says('Not today.'), data };
  saveAndNext();
  await waitFor(() => expect(summary()?.textContent).toContain('Not today.'));
  await expectPage('/admission3');

  server.answers[save] = taken;
  saveAndNext();
  await expectPage('/admission4');
  press('Previous');
  await expectPage('/admission3');
  press('Previous');
  await expectPage('/admission2');
});

test('S109 S112 S113 an empty page 4 is refused, every gap of both contacts named, and nothing is sent', async () => {
  const server = await openForm('/admission3');
  saveAndNext();
  await expectProblems({
    ...both({
      FirstName: 'First Name is required.',
      LastName: 'Last Name is required.',
      MobileNo: 'Mobile No is required',
      Relationship: 'Relationship with the child is required.',
    }),
    timeSpentWithChildFather: 'Father is required.',
    timeSpentWithChildMother: 'Mother is required.',
    parentingBeliefAndPhilosophy: 'Answer this question.',
    reasonsForAdmission: 'Answer this question.',
  });
  const groups = [...(summary()?.querySelectorAll('li:has(> ul)') ?? [])];
  expect(groups.map((group) => [group.firstChild?.textContent, group.querySelectorAll('a').length])).toEqual([
    ['Emergency contact 1:', 4],
    ['Emergency contact 2:', 4],
    ['Time with your child:', 2],
  ]);
  expect(savesOf(server)).toEqual([]);
});

test('S110 S111 S112 S113 one character too many or a wrong number is refused on page 4, the longest answers are saved', async () => {
  const server = await openForm('/admission3');
  const filled = (extra: number) => ({
    ...both({
      FirstName: 'x'.repeat(50 + extra),
      LastName: 'y'.repeat(50 + extra),
      Relationship: 'z'.repeat(50 + extra),
    }),
    timeSpentWithChildFather: 'x'.repeat(1000 + extra),
    timeSpentWithChildMother: 'y'.repeat(1000 + extra),
    parentingBeliefAndPhilosophy: 'x'.repeat(1000 + extra),
    reasonsForAdmission: 'y'.repeat(1000 + extra),
  });
  enter(filled(1));
  for (const mobile of ['982503333', '98250333333', '98250abcde']) {
    enter(both({ MobileNo: mobile }));
    saveAndNext();
    await expectProblems({
      ...both({
        FirstName: 'Use at most 50 characters.',
        LastName: 'Use at most 50 characters.',
        MobileNo: 'Mobile No is not valid.',
        Relationship: 'Use at most 50 characters.',
      }),
      timeSpentWithChildFather: 'Use at most 1,000 characters.',
      timeSpentWithChildMother: 'Use at most 1,000 characters.',
      parentingBeliefAndPhilosophy: 'Use at most 1,000 characters.',
      reasonsForAdmission: 'Use at most 1,000 characters.',
    });
  }
  enter({ ...filled(0), ...both({ MobileNo: '9825033333' }) });
  saveAndNext();
  await expectPage('/admission4');
  expect(savesOf(server)).toMatchObject([{ fields: filled(0) }]);
});

test.each([true, false])(
  'S114 the authorization stands beside what happens in an emergency; a tick of %s is sent and comes back',
  async (ticked) => {
    const hospitalText = 'In a medical emergency the school takes the child to the nearest hospital.';
    configure({ hospitalText });
    const server = await openForm('/admission3', {
      pages: 4,
      over: { 'additional-info': { isMedicalEmergencyAuthorized: !ticked } },
    });
    const box = field('isMedicalEmergencyAuthorized');
    expect(box.checked).toBe(!ticked);
    expect(box.labels?.[0]?.textContent).toMatch(/^I allow the school/);
    expect(descriptionOf(box)).toContain(hospitalText);
    setChecked('isMedicalEmergencyAuthorized', ticked);
    saveAndNext();
    await expectPage('/admission4');
    expect(savesOf(server)).toMatchObject([{ fields: { isMedicalEmergencyAuthorized: ticked } }]);
  },
);

test('a long answer counts what is left from three quarters on, and may be too long until it is saved', async () => {
  await openForm('/admission3', { pages: 4 });
  fill('reasonsForAdmission', 'x'.repeat(749));
  expect(page()).not.toMatch(/characters? left/);
  fill('reasonsForAdmission', 'ક'.repeat(750));
  expect(page()).toContain('250 characters left');
  fill('reasonsForAdmission', 'x'.repeat(1001));
  expect(page()).toContain('1 character too many');
  saveAndNext();
  await expectProblems({ reasonsForAdmission: 'Use at most 1,000 characters.' });
});

test('RA45 a save that does not reach the school says so, keeps every answer, and works at the next try', async () => {
  const server = await openForm('/admission3', { pages: 4 });
  const taken = server.answers[save];
  server.answers[save] = undefined;
  enter(additionalInfoAnswers);
  fill('reasonsForAdmission', 'A reason that must not be lost');
  saveAndNext();
  await waitFor(
    () => expect(summary()?.textContent).toContain('No connection. Your answers are still here. Try again.'),
    { timeout: 5000 },
  );
  await waitFor(() => expect(document.activeElement).toBe(summary()));
  expect(field('reasonsForAdmission').value).toBe('A reason that must not be lost');
  server.answers[save] = taken;
  saveAndNext();
  await expectPage('/admission4');
  const saves = savesOf(server);
  expect(saves.at(-1)).toMatchObject({ fields: { reasonsForAdmission: 'A reason that must not be lost' } });
  expect(new Set(saves.map(({ key }) => key)).size).toBe(1);
});

test('B14 K2 a page that was saved elsewhere meanwhile is not saved over without a choice', async () => {
  const server = await openForm('/admission3', { pages: 4 });
  const taken = server.answers[save];
  server.answers[save] = refused('stale', 'Changed.', {
    data: { rowVersion: 9, savedDateTime: '2026-06-01T10:00:00.000Z' },
  });
  fill('reasonsForAdmission', 'From the second device');
  saveAndNext();
  await waitFor(() => expect(summary()?.textContent).toMatch(/This page was changed on another device at \d\d:\d\d\./));
  await waitFor(() => expect(document.activeElement).toBe(summary()));
  expect(summaries()).toHaveLength(1);
  expect(field('reasonsForAdmission').value).toBe('From the second device');
  server.answers[save] = taken;
  press('Keep my version', summary());
  await expectPage('/admission4');
  expect(savesOf(server)).toMatchObject([
    { fields: { rowVersion: 1 } },
    { fields: { rowVersion: 9, reasonsForAdmission: 'From the second device' } },
  ]);
});

test('B11 "Save and come back later" says where the link goes', async () => {
  const message = 'Saved. We have sent this link again to 98XXXXXX11.';
  await openForm('/admission3', {
    answers: { 'POST /api/admission/send-link': { isSuccess: true, ...says(message) } },
  });
  press('Save and come back later');
  await waitFor(() => expect(page()).toContain(message));
});

test.each([
  ['9825011111', 'Another person has this number. Give a different one.'],
  ['+91 98250 22222', 'Another person has this number. Give a different one.'],
  ['9825044444', 'Another person has this number. Give a different one.'],
])('an emergency contact with the number %s is pointed out, and saved', async (number, words) => {
  await openForm('/admission3', { pages: 4 });
  expect(page()).not.toContain(words);
  fill('emergencyContact1MobileNo', number);
  expect(page()).toContain(words);
  saveAndNext();
  await expectPage('/admission4');
});

test('a number that page 2 alone knows to be the mother’s is pointed out, too', async () => {
  await openForm('/admission3', { pages: 4, inquiry: { motherMobileNo: null } });
  fill('emergencyContact2MobileNo', '9825022222');
  expect(page()).toContain('Another person has this number.');
});

test('the time of a parent who cannot be named is not asked for', async () => {
  const server = await openForm('/admission3', {
    pages: 4,
    over: { 'parent-info': { hasNoFather: true, noFatherReason: 'Not alive' } },
  });
  expect(document.querySelector('[name=timeSpentWithChildFather]')).toBeNull();
  fill('timeSpentWithChildMother', '');
  saveAndNext();
  await expectProblems({ timeSpentWithChildMother: 'Mother is required.' });
  fill('timeSpentWithChildMother', 'The whole day');
  saveAndNext();
  await expectPage('/admission4');
  expect(savesOf(server)).toHaveLength(1);
});
