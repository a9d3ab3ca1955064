import { cleanup, fireEvent, render, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import {
  additionalInfoAnswers,
  basicInfoAnswers,
  educationAnswers,
  familyFacts,
  healthAnswers,
  parentInfoAnswers,
} from '#database/seed/answers.ts';
import { additionalInfoApi, additionalInfoDraft } from '#features/admission-form/contract/additional-info.ts';
import { basicInfoApi, basicInfoDraft } from '#features/admission-form/contract/basic-info.ts';
import { careerApi } from '#features/admission-form/contract/career.ts';
import { documentApi } from '#features/admission-form/contract/document.ts';
import { draftApi } from '#features/admission-form/contract/draft.ts';
import { educationApi } from '#features/admission-form/contract/education.ts';
import { healthApi, healthDraft } from '#features/admission-form/contract/health.ts';
import { inquiryApi, type OpenInquiry } from '#features/admission-form/contract/inquiry.ts';
import { languageApi } from '#features/admission-form/contract/language.ts';
import { parentInfoApi, parentInfoDraft } from '#features/admission-form/contract/parent-info.ts';
import { siblingApi } from '#features/admission-form/contract/sibling.ts';
import { FormPages } from '#features/admission-form/pages/FormPages.tsx';
import { createFormRouter } from '#features/admission-form/pages/form-router.ts';
import { forgetInquiry } from '#features/admission-form/pages/inquiry-state.ts';
import { InLanguage } from '#kit/browser/language.tsx';
import { ToastProvider } from '#kit/browser/ui/toast.tsx';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { errorStatus } from '#kit/contract/errors.ts';
import { type Answers, fakeServer } from './fake-server.ts';

// The pages of the admission form with a fake server, as a parent sees them.

/** Suppresses the console output of React and the router for an error that the page shows. */
export function hideErrors() {
  for (const kind of ['error', 'warn'] as const) vi.spyOn(console, kind).mockImplementation(() => undefined);
}

export const link = '0123456789abcdef0123456789abcdef';
const [admissionID, inquiryNo] = [7, 'INQ-2026-0007'];
const key = { admissionID, inquiryNo };
const at = '2026-06-01T10:00:00.000Z';
const times = { createdDateTime: at, updatedDateTime: at };
const stamps = { createdBy: 0, updatedBy: 0 };

/** The inquiry's values of child and parents, as the form receives them. */
export const inquiry: OpenInquiry = {
  language: null,
  ...key,
  isFormSubmitted: false,
  firstName: familyFacts.firstName,
  lastName: familyFacts.lastName,
  birthDate: familyFacts.birthDate,
  gender: false,
  admissionAcademicYearID: 1,
  academicYear: '2026-27',
  admissionBoardID: 1,
  board: 'CBSE',
  admissionProgramID: 1,
  program: 'Regular',
  admissionGradeID: 4,
  grade: 'Grade 1',
  fatherFirstName: familyFacts.fatherFirstName,
  fatherLastName: familyFacts.fatherLastName,
  fatherMobileNo: familyFacts.fatherMobile,
  fatherEmailID: familyFacts.fatherEmail,
  motherFirstName: familyFacts.motherFirstName,
  motherLastName: familyFacts.motherLastName,
  motherMobileNo: familyFacts.motherMobile,
  motherEmailID: familyFacts.motherEmail,
  detailsNotApplicable: [],
  waivedDocuments: [],
  isConsentRequired: false,
  gradeAge: { years: 6, on: '2026-06-01' },
  correction: null,
  sibling: null,
  savedSteps: [],
  deviceKey: 'key',
};

/** A family without known values: no field is locked. */
export const nothingKnown: Partial<OpenInquiry> = {
  firstName: null,
  lastName: null,
  birthDate: null,
  fatherFirstName: null,
  fatherLastName: null,
  fatherMobileNo: null,
  fatherEmailID: null,
  motherFirstName: null,
  motherLastName: null,
  motherMobileNo: null,
  motherEmailID: null,
};

export const submittedInquiry = [
  {
    language: null,
    ...key,
    isFormSubmitted: true,
    academicYear: '2026-27',
    submittedDateTime: at,
    status: 'Received',
    documentNames: ['Birth Certificate', 'Aadhar Card'],
  },
];

/** Sectors and the specialties of each, by id. */
export const sectors = { 1: 'Manufacturing', 2: 'Health', 3: 'Law and security' };
export const specialties: Record<string, Record<string, string>> = {
  1: { 11: 'Textiles' },
  2: { 21: 'Dentistry', 22: 'Medicine', 23: 'Nursing', 24: 'Pharmacy' },
  3: { 31: 'Advocacy', 32: 'Security services' },
};

const saved = {
  'basic-info': {
    ...inquiry,
    ...basicInfoDraft.parse(basicInfoAnswers),
    aadharCardNo: 'XXXX XXXX 1234',
    admissionFormEntryDate: '2026-06-01',
    admissionStudentImagePath: 'child-photo',
    ...stamps,
    createdByName: '',
    updatedByName: '',
  },
  'parent-info': {
    ...key,
    ...parentInfoDraft.parse(parentInfoAnswers(1, 11)),
    divorceDocumentPath: null,
    adoptionDocumentPath: null,
    familyImagePath: 'family-photo',
    ...stamps,
  },
  health: {
    ...key,
    ...healthDraft.parse(healthAnswers),
    studentAdmissionChildHealthDetailsID: 1,
    vaccinationCardFilePath: null,
    vaccinationFilePath: null,
    ...stamps,
    ...times,
  },
  'additional-info': { ...key, ...additionalInfoDraft.parse(additionalInfoAnswers), ...stamps },
};
type SavedPage = keyof typeof saved;
const savedPages = Object.keys(saved) as SavedPage[];

export const schoolRow = { studentAdmissionChildEducationHistoryID: 5, ...educationAnswers, ...key, createdBy: 0 };

let lastDocument = 0;
export const documentRow = (documentName: string, otherDocumentDescription = '') => ({
  studentAdmissionDocumentsID: ++lastDocument,
  documentName,
  documentFilePath: `file-${lastDocument}`,
  documentFileType: 'image/png',
  otherDocumentDescription,
  isRejected: false,
});

/** An operation's answer in the form's envelope, checked against the contract. */
export function rowsOf(operation: Endpoint, rows: object[], message = ''): object {
  const [list = ''] = Object.keys((operation.output as unknown as Shape).shape.data.shape);
  const data = { [list]: rows, rowVersion: rows.length > 0 ? 1 : null };
  return operation.output.parse({ isSuccess: rows.length > 0, ...says(message), data }) as object;
}
interface Shape {
  shape: { data: { shape: object } };
}

/** The message of an answer, in English and as a text. */
export const says = (message: string) => ({ message, ...(message && { text: { id: message } }) });

/** A refusal in the form's envelope. */
export const refused = (
  code: keyof typeof errorStatus,
  message = 'Refused.',
  { errors = {}, data = {} }: { errors?: Record<string, string>; data?: object } = {},
) => {
  const texts = Object.fromEntries(Object.entries(errors).map(([name, id]) => [name, { id }]));
  return Response.json(
    { isSuccess: false, code, ...says(message), errors, texts, data },
    { status: errorStatus[code] },
  );
};

export const nameOf = ({ method, path }: Endpoint) => `${method} /api${path}`;

interface Wanted {
  inquiry?: Partial<OpenInquiry>;
  /** The number of saved pages. */
  pages?: number;
  /** Saved values, over the usual answers. */
  over?: Partial<Record<SavedPage, object>>;
  schools?: object[];
  siblings?: string;
  documents?: object[];
  language?: object[];
  /** Answers that replace the usual ones, by "POST /api/admission/health". */
  answers?: Answers;
}

/** Answers of a server that stores drafts but refuses to save anything else. */
function answersFor({
  pages = 0,
  over = {},
  schools = [],
  siblings,
  documents = [],
  language = [],
  ...wanted
}: Wanted) {
  const read = (page: SavedPage, operation: Endpoint) => ({
    [nameOf(operation)]: rowsOf(operation, savedPages.indexOf(page) < pages ? [{ ...saved[page], ...over[page] }] : []),
  });
  const drafts = new Map<string, object>();
  const none = { number: 0, savedDateTime: null, visit: '', answers: null };
  const draft = (page: string) => ({ isSuccess: true, message: '', data: drafts.get(page) ?? none });
  const save = (operation: Endpoint) => ({
    [nameOf(operation)]: () => {
      drafts.delete(operation.path.replace('/admission/', ''));
      return { ...rowsOf(operation, []), isSuccess: true };
    },
  });
  const pageOf = (path: string) => path.replace(/.*\//, '');
  const careers = (names: Record<string, string>, operation: Endpoint) =>
    rowsOf(
      operation,
      Object.entries(names).map(([id, careerName]) => ({ careerID: Number(id), careerName })),
    );
  return {
    [nameOf(inquiryApi.inquiry)]: inquiryApi.inquiry.output.parse([
      { ...inquiry, savedSteps: savedPages.slice(0, pages).map((_, index) => index + 1), ...wanted.inquiry },
    ]),
    ...read('basic-info', basicInfoApi.get),
    ...read('parent-info', parentInfoApi.get),
    ...read('health', healthApi.get),
    ...read('additional-info', additionalInfoApi.get),
    [nameOf(educationApi.list)]: rowsOf(educationApi.list, schools),
    [nameOf(siblingApi.get)]: rowsOf(
      siblingApi.get,
      siblings ? [{ ...key, siblingName: siblings, ...stamps, ...times }] : [],
    ),
    [nameOf(documentApi.list)]: rowsOf(documentApi.list, documents),
    [nameOf(languageApi.get)]: rowsOf(
      languageApi.get,
      language.map((row) => ({
        studentAdmissionLanguageDtlID: 1,
        ...key,
        createdBy: 0,
        createddatetime: at,
        updatedby: 0,
        updateddatetime: at,
        ...row,
      })),
    ),
    [nameOf(careerApi.sectors)]: careers(sectors, careerApi.sectors),
    [nameOf(careerApi.specialties)]: ({ path }) =>
      careers(specialties[path.split('/').at(-2) ?? ''] ?? {}, careerApi.specialties),
    ...save(basicInfoApi.save),
    ...save(parentInfoApi.save),
    ...save(healthApi.save),
    ...save(additionalInfoApi.save),
    [nameOf(draftApi.read)]: ({ path }) => draft(pageOf(path)),
    [nameOf(draftApi.keep)]: ({ path, fields: { number, visit, answers } }) => {
      drafts.set(pageOf(path), { number, savedDateTime: at, visit, answers });
      return draft(pageOf(path));
    },
    ...wanted.answers,
  } satisfies Answers as Answers;
}

/** Opens a page of the form with a family's link, such as "/admission1". */
export async function openForm(path: string, wanted: Wanted = {}) {
  const server = fakeServer(answersFor(wanted));
  await visit(path);
  return server;
}

/** Opens an address again, as a reload does. */
export async function visit(path: string, value = link) {
  cleanup();
  forgetInquiry();
  const address = new URL(path, window.location.origin);
  if (value) address.searchParams.set('inquiryNo', value);
  window.history.replaceState(null, '', address.href);
  const router = createFormRouter();
  render(
    <InLanguage
      draw={() => (
        <ToastProvider>
          <FormPages router={router} />
        </ToastProvider>
      )}
    />,
  );
  await waitFor(() => expect(document.querySelector('h1')).not.toBeNull());
}

/** The path and the query of the address, without the link. */
export function whereWeAre() {
  const { pathname, searchParams, hash } = new URL(window.location.href);
  expect(searchParams.get('inquiryNo')).toBe(link);
  searchParams.delete('inquiryNo');
  return `${pathname}${searchParams.size > 0 ? `?${searchParams}` : ''}${hash}`;
}

/** A page of the form is open and drawn, with the link in its address. */
export async function expectPage(path: string) {
  const step = Number(path.slice('/admission'.length)) + 1;
  await waitFor(() => {
    expect(whereWeAre()).toBe(path);
    expect(document.querySelector('nav[aria-label=Steps]')?.textContent).toContain(`Step ${step} of 5`);
  });
}

type Control = HTMLInputElement;

/** The controls of a field, by the field's name. */
export const controls = (name: string) => [...document.querySelectorAll<Control>(`[name="${name}"]:not(meta)`)];

export function field(name: string): Control {
  const [first] = controls(name);
  if (!first) throw new Error(`There is no field ${name}.`);
  return first;
}

export const fill = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });

/** Chooses among radios or ticks one of several boxes. */
export function choose(name: string, value: string) {
  const control = controls(name).find((candidate) => candidate.value === value);
  if (!control) throw new Error(`${name} has no ${value}.`);
  fireEvent.click(control);
}

export function setChecked(name: string, isChecked: boolean) {
  if (field(name).checked !== isChecked) fireEvent.click(field(name));
}

/** Enters answers in their wire form into boxes, lists, radios and dates. */
export function enter(answers: Record<string, string | boolean>) {
  for (const [name, value] of Object.entries(answers)) {
    const { type } = field(name);
    if (type === 'radio') choose(name, String(value));
    else if (type === 'checkbox') setChecked(name, String(value) === 'true');
    else fill(name, String(value));
  }
}

/** The value of a field; of several controls joined by commas. */
export const answerOf = (name: string) =>
  controls(name)
    .filter(({ type, checked }) => checked || !['radio', 'checkbox'].includes(type))
    .map(({ value }) => value)
    .join(',');

const pngHead = [0x89, 0x50, 0x4e, 0x47];
export const heads = {
  png: pngHead,
  jpeg: [0xff, 0xd8, 0xff],
  gif: [0x47, 0x49, 0x46, 0x38],
  pdf: [0x25, 0x50, 0x44, 0x46, 0x2d],
};

/** A file of this size that starts with these bytes. */
export const file = (name: string, head: readonly number[] = pngHead, size = head.length) =>
  new File([new Uint8Array(head), new Uint8Array(size - head.length)], name, { type: 'image/png' });

/** Chooses a file for a field, and waits until it is checked. */
export async function attach(name: string, chosen = file('picture.png')) {
  fireEvent.change(field(name), { target: { files: [chosen] } });
  const question = field(name).closest('fieldset');
  await waitFor(() => {
    const isTaken = question?.querySelector('[role=status]')?.textContent?.includes(chosen.name);
    expect(isTaken || question?.querySelector('.error')).toBeTruthy();
  });
}

/** The button or link with this label. */
export function pressable(words: string, within: ParentNode = document): HTMLElement {
  const found = findPressable(words, within);
  if (!found) throw new Error(`There is nothing to press called ${words}.`);
  return found;
}
export const findPressable = (words: string, within: ParentNode = document) =>
  [...within.querySelectorAll<HTMLElement>('button, a, summary')].find(
    (element) => (element.getAttribute('aria-label') ?? element.textContent.trim()) === words,
  );

export const press = (words: string, within: ParentNode = document) => fireEvent.click(pressable(words, within));
export const saveAndNext = () => press('Save and Next');

/** The error summaries; a page has at most one. */
export const summaries = () => [...document.querySelectorAll<HTMLElement>('[role=alert]')];
export const summary = () => summaries()[0];

/** Every link of the summary, letter for letter, by the field it leads to. */
const problemsListed = () =>
  [...(summary()?.querySelectorAll('a') ?? [])].map(
    (a) => [a.getAttribute('href')?.slice(1) ?? '', a.textContent] as const,
  );

/** Every message beside a field, letter for letter, by the field's name and in page order. */
const problemsBeside = () =>
  [...new Set([...document.querySelectorAll('[name]:not(meta)')].map((control) => control.getAttribute('name') ?? ''))]
    .map((name) => [name, problemBeside(name)])
    .filter(([, words]) => words !== undefined);

/** A field's error message, also as screen readers get it. */
export function problemBeside(name: string): string | undefined {
  const ids = field(name).closest('[aria-describedby]')?.getAttribute('aria-describedby')?.split(' ') ?? [];
  const texts = ids.map((id) => document.getElementById(id)?.textContent ?? '');
  return texts.find((text) => text.startsWith('Error: '))?.slice('Error: '.length);
}

/**
 * Exactly these problems are shown beside their fields and in page order in the summary, which has the focus and
 * prefixes the label where the message lacks it.
 */
export async function expectProblems(expected: Record<string, string>) {
  await waitFor(() => expect(Object.fromEntries(problemsBeside())).toEqual(expected));
  await waitFor(() => expect(document.activeElement).toBe(summary()));
  expect(summaries()).toHaveLength(1);
  expect(problemsListed().map(([name]) => name)).toEqual(problemsBeside().map(([name]) => name));
  for (const [name, listed] of problemsListed()) {
    const words = expected[name] ?? '';
    const label = listed.slice(0, listed.length - words.length);
    expect(label + words).toBe(listed);
    expect(label === '' || /\S[:?] $/.test(label), listed).toBe(true);
  }
}

/** The messages of the toasts. */
export const toasts = () =>
  [...document.querySelectorAll('[aria-live] > *')].flatMap((toast) =>
    [...toast.children].map((part) => part.textContent),
  );

/** The text shown for a label whose value cannot be changed. */
export const facts = (label: string) =>
  [...document.querySelectorAll('dt')]
    .filter((term) => term.textContent === label)
    .map((term) => term.nextElementSibling?.textContent);

/** The question a field answers, with all its controls. */
export function question(name: string): HTMLElement {
  const found = field(name).closest<HTMLElement>('.question');
  if (!found) throw new Error(`${name} stands in no question.`);
  return found;
}

/** The description of a field or a group of fields. */
export const descriptionOf = (element: Element) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ');

export const optionsOf = (name: string) => [...field(name).querySelectorAll('option')].map((option) => option.text);

/** The texts of a question's rows, in order. */
export const rowsIn = (name: string) =>
  [...question(name).querySelectorAll('label')].map((row) => row.textContent.trim());

export const page = () => document.body.textContent ?? '';
