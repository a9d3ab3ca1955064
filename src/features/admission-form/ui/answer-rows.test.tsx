import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  additionalInfoAnswers,
  basicInfoAnswers,
  educationAnswers,
  healthAnswers,
  languageAnswers,
  parentInfoAnswers,
} from '#database/seed/answers.ts';
import { healthQuestions } from '#features/student/contract/health-questions.ts';
import { english, type Text } from '#kit/contract/text.ts';
import { type FrozenForm, printedAnswers } from '../server/printed-answers.ts';
import {
  type AnswerGroup,
  useChildRows,
  useContactRows,
  useFamilyRows,
  useHealthRows,
  useLanguageRows,
} from './answer-rows.tsx';

/** Answers as they are stored: booleans, and numbers of sectors. */
const stored = (answers: object, over: object = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({ ...answers, ...over }).map(([name, value]) => [
      name,
      value === 'true' ? true : value === 'false' ? false : /Caree.*ID$/.test(name) ? Number(value) || null : value,
    ]),
  );

const usual: FrozenForm = {
  basicInfo: stored(basicInfoAnswers, { admissionStudentImagePath: 'photo' }),
  parentInfo: stored(parentInfoAnswers(1, 2), { familyImagePath: 'family' }),
  health: stored(healthAnswers),
  education: [{ ...educationAnswers } as never],
  additionalInfo: stored(additionalInfoAnswers),
  language: stored(languageAnswers),
  documents: [],
};
const everyHealth = Object.fromEntries(
  healthQuestions.flatMap(({ name, opens }) => [[name, true], ...opens.map((box) => [box.name, 'Described'])]),
);
const forms: Record<string, FrozenForm> = {
  usual,
  'everything opened': {
    ...usual,
    basicInfo: { ...usual.basicInfo, sameAsPresentAddress: false },
    parentInfo: {
      ...usual.parentInfo,
      isParentDivorced: true,
      isChildAdopted: true,
      parentWorkingatFS: true,
      fatherCanVisitWorkplace: true,
      isParentLocalGuardian: false,
    },
    health: { ...usual.health, ...everyHealth },
    education: [],
    language: { ...usual.language, isChildHaveReplacedLang: true, repalcedLangOfChild: 'Sindhi' },
  },
  'no father to name': {
    ...usual,
    parentInfo: { ...usual.parentInfo, hasNoFather: true, noFatherReason: 'Not alive' },
  },
};

function Shown({ form, waived }: { form: FrozenForm; waived: ('father' | 'mother')[] }) {
  const reader = { detailsNotApplicable: waived, locked: [], picture: () => 'Uploaded' };
  const careers = new Map([
    [1, 'Textiles'],
    [2, 'Dyeing'],
  ]);
  const groups = [
    useChildRows(reader)(form.basicInfo as never),
    useFamilyRows(reader, careers)(form.parentInfo as never),
    useHealthRows(reader, form.education ?? [])(form.health as never),
    useContactRows(reader, form.parentInfo as never)(form.additionalInfo as never),
    useLanguageRows()(form.language as never),
  ];
  return groups.map((section) => <Section key={section[0]?.rows[0]?.name} groups={section} />);
}

const Section = ({ groups }: { groups: AnswerGroup[] }) => (
  <section>
    {groups
      .filter(({ rows }) => rows.length > 0)
      .map(({ title, rows }) => (
        <div key={title ?? ''} title={title ?? ''}>
          {rows.map(({ name, label, value }) => (
            <p key={name}>
              {label}={value}
            </p>
          ))}
        </div>
      ))}
  </section>
);

test.each([
  ...Object.entries(forms).map(([name, form]) => [name, form, []] as const),
  ['a waived father', { ...usual, parentInfo: { ...usual.parentInfo, fatherOccupation: '' } }, ['father']] as const,
])('the PDF has the questions and answers of the check page: %s', (_, form, waived) => {
  render(
    <I18nProvider i18n={i18n}>
      <Shown form={form} waived={[...waived]} />
    </I18nProvider>,
  );
  const shown = [...document.querySelectorAll('section')].map((section) =>
    [...section.children].map((group) => [
      group.getAttribute('title'),
      ...[...group.children].map(({ textContent }) => textContent),
    ]),
  );
  const files = new Map<string, string>();
  const careers = new Map([
    [1, 'Textiles'],
    [2, 'Dyeing'],
  ]);
  const said = (words: string | Text | undefined) => (typeof words === 'string' ? words : words ? english(words) : '');
  const printed = printedAnswers(form, { waived: [...waived], files, careers }).map(({ groups }) =>
    groups.map(({ title, facts }) => [said(title), ...facts.map(([label, value]) => `${said(label)}=${said(value)}`)]),
  );
  expect(printed.slice(0, -1)).toEqual(shown);
});
