import { fireEvent, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { additionalInfoAnswers, languageAnswers } from '#database/seed/answers.ts';
import {
  answerOf,
  attach,
  choose,
  controls,
  descriptionOf,
  documentRow,
  enter,
  expectPage,
  expectProblems,
  field,
  file,
  fill,
  findPressable,
  heads,
  inquiry,
  link,
  openForm,
  optionsOf,
  page,
  press,
  pressable,
  problemBeside,
  question,
  refused,
  rowsIn,
  rowsOf,
  saveAndNext,
  submittedInquiry,
  summaries,
  summary,
  toasts,
  visit,
  whereWeAre,
} from '#testing/form-page.tsx';
import { documentApi } from '../contract/document.ts';
import { languageApi } from '../contract/language.ts';

const paper = 'DocumentIFormFile';
const documentsRequired = 'Please upload all required document';
const [add, submitForm] = ['POST /api/admission/documents', 'POST /api/admission/language'];
const languages = [
  'Gujarati',
  'Hindi',
  'Marwadi',
  'Sindhi',
  'Marathi',
  'Tamil',
  'Telugu',
  'Bengali',
  'Malayalam',
  'Punjabi',
  'Urdu',
  'English',
  'Tulu',
  'Kannada',
  'Other',
];
const schoolLanguages = ['Gujarati', 'Hindi', 'English'];
const both = [documentRow('Birth Certificate'), documentRow('Aadhar Card')];

type Server = Awaited<ReturnType<typeof openForm>>;
const sentAs = (name: string, { sent }: Server) => sent.filter(({ method, path }) => `${method} ${path}` === name);
const submit = () => press('Submit Form');
const confirm = () => press('Yes, submit');
const cells = () => [...document.querySelectorAll('td')].map(({ textContent }) => textContent);
const heading = () => document.querySelector('h1')?.textContent;

function enterLanguages() {
  const { otherLangChildKnow, repalcedLangOfChild, ...others } = languageAnswers;
  enter(others);
  for (const language of otherLangChildKnow.split(',')) choose('otherLangChildKnow', language);
}

/** The server accepts the form. */
const takeForm = (server: Server) => () => {
  server.answers['GET /api/admission/inquiry'] = submittedInquiry;
  return { ...rowsOf(languageApi.submit, [], 'Thank you filling admission form'), isSuccess: true };
};

test('S115 S118 unanswered language questions are refused, each in its own words; only a Yes asks for the replaced language', async () => {
  await openForm('/admission4', { pages: 4, documents: both });
  submit();
  const gaps = {
    primaryLangatHome: 'Primary Language is required.',
    otherLangChildKnow: 'Other Language is required.',
    isChildFluentInEnglish: 'Learner Of English Language is required.',
    childStudyLangPreferance: 'Child Studies English Language is required.',
    langPreferanceWithSchool: 'School Communication Language is required.',
  };
  await expectProblems({
    ...gaps,
    isChildHaveReplacedLang: 'Family (your parents or grandparents) speak Language is required.',
  });

  expect(controls('repalcedLangOfChild')).toEqual([]);
  choose('isChildHaveReplacedLang', 'true');
  expect(controls('repalcedLangOfChild')).toHaveLength(1);
  submit();
  await expectProblems({ ...gaps, repalcedLangOfChild: 'Specify the Language is Required' });
  choose('isChildHaveReplacedLang', 'false');
  expect(controls('repalcedLangOfChild')).toEqual([]);
  submit();
  await expectProblems(gaps);
});

test('S116 S117 S120 languages and document names are offered exactly as the school lists them', async () => {
  await openForm('/admission4');
  choose('isChildHaveReplacedLang', 'true');
  for (const name of ['primaryLangatHome', 'repalcedLangOfChild'])
    expect(optionsOf(name)).toEqual(['Choose', ...languages]);
  expect(rowsIn('otherLangChildKnow')).toEqual(languages);
  expect(controls('otherLangChildKnow').map(({ type }) => type)).toEqual(languages.map(() => 'checkbox'));
  for (const name of ['childStudyLangPreferance', 'langPreferanceWithSchool'])
    expect(rowsIn(name)).toEqual(schoolLanguages);
  expect(optionsOf('documentName')).toEqual([
    'Choose',
    'Birth Certificate',
    'Aadhar Card',
    'No Due Certificate',
    'Other',
  ]);
  expect(descriptionOf(field('documentName'))).toMatch(
    /As “Aadhar Card” you can upload the Aadhaar card, a passport, or the enrolment slip if you entered “Applied for” in step 1/,
  );
});

test('S119 the other languages are sent as one comma-joined text and come back as separate choices', async () => {
  // Answers of a form that was submitted and that the school reopened.
  const saved = {
    primaryLangatHome: 'Gujarati',
    otherLangChildKnow: 'Hindi,English',
    isChildFluentInEnglish: true,
    childStudyLangPreferance: 'English',
    langPreferanceWithSchool: 'Gujarati',
    isChildHaveReplacedLang: true,
    repalcedLangOfChild: 'Sindhi',
  };
  const server = await openForm('/admission4', { pages: 4, documents: both, language: [saved] });
  for (const [name, value] of Object.entries(saved)) expect([name, answerOf(name)]).toEqual([name, String(value)]);
  choose('otherLangChildKnow', 'Marwadi');
  submit();
  confirm();
  await waitFor(() =>
    expect(sentAs(submitForm, server)).toMatchObject([{ fields: { otherLangChildKnow: 'Hindi,Marwadi,English' } }]),
  );
});

test('S121 S122 a document needs a name, and an Other a description of at most 1000 characters', async () => {
  const server = await openForm('/admission4');
  await attach(paper);
  press('Upload');
  await expectProblems({ documentName: 'Document Name is Required' });
  expect(controls('otherDocumentDescription')).toEqual([]);
  fill('documentName', 'Other');
  press('Upload');
  await expectProblems({ otherDocumentDescription: 'Description is Required' });
  fill('otherDocumentDescription', 'x'.repeat(1001));
  press('Upload');
  await expectProblems({ otherDocumentDescription: 'Use at most 1,000 characters.' });
  expect(sentAs(add, server)).toEqual([]);

  server.answers[add] = rowsOf(documentApi.add, [documentRow('Other', 'x'.repeat(1000))]);
  fill('otherDocumentDescription', 'x'.repeat(1000));
  press('Upload');
  await waitFor(() => expect(cells()).toContain('x'.repeat(1000)));
});

test('S123 S126 S127 S128 a document is announced and listed, taken only once under a name, and removed', async () => {
  const birth = documentRow('Birth Certificate');
  const remove = `DELETE /api/admission/documents/${birth.studentAdmissionDocumentsID}`;
  const server = await openForm('/admission4', {
    answers: {
      [add]: rowsOf(documentApi.add, [birth], 'File Uploded Successfully'),
      [remove]: { ...rowsOf(documentApi.remove, [], 'Document Deleted Successfully'), isSuccess: true },
    },
  });
  expect(page()).toContain('No record found');
  fill('documentName', 'Birth Certificate');
  await attach(paper);
  press('Upload');
  await waitFor(() => expect(toasts()).toEqual(['File Uploded Successfully']));
  expect(page()).not.toContain('No record found');
  expect(cells().slice(0, 2)).toEqual(['Birth Certificate', '']);
  expect(page()).toContain('Birth Certificate: uploaded');
  const view = pressable('View Birth Certificate, opens in a new tab');
  expect(view.getAttribute('href')).toBe(`/api/admission/files/${birth.documentFilePath}?inquiryNo=${link}`);
  expect(view.getAttribute('target')).toBe('_blank');

  fill('documentName', 'Birth Certificate');
  await attach(paper);
  press('Upload');
  const twice = 'Document already uploded please select another document';
  await expectProblems({ documentName: twice });
  expect(sentAs(add, server)).toHaveLength(1);

  press('Remove Birth Certificate');
  press('Remove', document.querySelector('dialog[aria-label="Remove Birth Certificate"]') ?? document);
  await waitFor(() => expect(toasts()).toContain('Document Deleted Successfully'));
  expect(page()).toContain('No record found');
  expect(sentAs(remove, server)).toHaveLength(1);
  expect(document.activeElement?.textContent).toBe('Upload a document');
});

test('S124 S125 a document is JPEG, PNG or PDF of at most 4 MB', async () => {
  const server = await openForm('/admission4');
  const fourMegabytes = 4 * 1024 * 1024;
  const wrongType = 'File select valid file';
  for (const [wrong, words] of [
    [file('picture.gif', heads.gif), wrongType],
    [file('letter.docx', [0x50, 0x4b, 0x03, 0x04]), wrongType],
    [file('text.txt', [0x74, 0x65]), wrongType],
    [file('large.png', heads.png, fourMegabytes + 1), 'File select up 4 Mb file'],
  ] as const) {
    fireEvent.change(field(paper), { target: { files: [wrong] } });
    await waitFor(() => expect([wrong.name, problemBeside(paper)]).toEqual([wrong.name, words]));
    expect(toasts()).toContain(words);
  }
  for (const taken of [
    file('paper.pdf', heads.pdf),
    file('paper.jpg', heads.jpeg),
    file('exact.png', heads.png, fourMegabytes),
  ]) {
    await attach(paper, taken);
    await waitFor(() => expect(question(paper).textContent).toContain(taken.name));
    expect(problemBeside(paper)).toBeUndefined();
  }
  fill('documentName', 'Aadhar Card');
  server.answers[add] = rowsOf(documentApi.add, [documentRow('Aadhar Card')]);
  press('Upload');
  await waitFor(() => expect(cells()).toContain('Aadhar Card'));
});

test('S131 a document goes over the wire with name, description and whose it is; the list is data.resultList', async () => {
  const other = documentRow('Other', 'Report card');
  const server = await openForm('/admission4', {
    documents: [documentRow('No Due Certificate')],
    answers: { [add]: rowsOf(documentApi.add, [other]) },
  });
  expect(cells()).toContain('No Due Certificate');
  fill('documentName', 'Other');
  fill('otherDocumentDescription', 'Report card');
  await attach(paper);
  press('Upload');
  await waitFor(() => expect(cells().slice(0, 2)).toEqual(['Other', 'Report card']));
  expect(sentAs(add, server)).toMatchObject([
    {
      isMultipart: true,
      query: { inquiryNo: link },
      fields: {
        documentName: 'Other',
        otherDocumentDescription: 'Report card',
        admissionID: String(inquiry.admissionID),
        inquiryNo: inquiry.inquiryNo,
        [paper]: 'picture.png',
      },
    },
  ]);
});

test('S010 Previous on the last page leads to page 4', async () => {
  await openForm('/admission4', { pages: 4 });
  press('Previous');
  await expectPage('/admission3');
});

test('S129 everything that is missing is named at once: documents, other steps, then the languages', async () => {
  const server = await openForm('/admission4', { pages: 2 });
  submit();
  await waitFor(() => expect(document.activeElement).toBe(summary()));
  const links = () => [...(summary()?.querySelectorAll('a') ?? [])];
  expect(links().map(({ textContent }) => textContent)).toEqual([
    documentsRequired,
    'Step 3, Health is not filled in yet',
    'Step 4, Contacts is not filled in yet',
    expect.stringContaining('Primary Language is required.'),
    expect.stringContaining('Other Language is required.'),
    expect.stringContaining('Learner Of English Language is required.'),
    expect.stringContaining('Child Studies English Language is required.'),
    expect.stringContaining('School Communication Language is required.'),
    expect.stringContaining('Family (your parents or grandparents) speak Language is required.'),
  ]);
  expect(links()[1]?.getAttribute('href')).toBe(`/admission2?inquiryNo=${link}&return=check`);
  expect(toasts()).toEqual([]);
  enterLanguages();
  expect(links()).toHaveLength(3);
  fireEvent.click(links()[0] ?? document.body);
  await waitFor(() => expect(document.activeElement).toBe(field('documentName')));
  expect(sentAs(submitForm, server)).toEqual([]);
});

test('S129 a form that the server finds without both documents is refused with a link to them', async () => {
  const gaps = [{ page: '/admission4', field: 'documentName', message: { id: documentsRequired } }];
  await openForm('/admission4', {
    pages: 4,
    documents: both,
    answers: {
      [submitForm]: refused('invalid', documentsRequired, {
        errors: { documentName: documentsRequired },
        data: { gaps },
      }),
    },
  });
  enterLanguages();
  submit();
  confirm();
  await waitFor(() => expect(document.activeElement).toBe(summary()));
  const links = [...(summary()?.querySelectorAll('a') ?? [])];
  expect(links.map(({ textContent }) => textContent)).toEqual([documentsRequired]);
});

test('until its end the last page leads to "Check your answers" and submits nothing', async () => {
  const server = await openForm('/admission4', { pages: 4, documents: both });
  press('Check your answers', document.querySelector('.step-bar') ?? document.body);
  expect(document.activeElement?.textContent).toBe('Check your answers');
  expect(findPressable('Submit Form', document.querySelector('.step-bar') ?? document.body)).toBeUndefined();
  expect(sentAs(submitForm, server)).toEqual([]);
});

test('the form is submitted only once that is confirmed', async () => {
  const server = await openForm('/admission4', { pages: 4, documents: both });
  enterLanguages();
  submit();
  const dialog = () => document.querySelector('main dialog[open]');
  expect(dialog()?.textContent).toContain('After you submit, you cannot change your answers.');
  press('Not yet');
  expect(dialog()).toBeNull();
  expect(sentAs(submitForm, server)).toEqual([]);
  server.answers[submitForm] = takeForm(server);
  submit();
  confirm();
  await waitFor(() => expect(heading()).toBe('Admission form already submitted!'));
});

test('S130 S012 B15 confirming twice sends one request, which thanks, asks for the inquiry again and closes the form', async () => {
  const server = await openForm('/admission4', { pages: 4, documents: both });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const take = takeForm(server);
  server.answers[submitForm] = () => held.then(take);
  enterLanguages();
  submit();
  const yes = pressable('Yes, submit');
  fireEvent.click(yes);
  fireEvent.click(yes);
  await waitFor(() => expect(pressable('Submit Form').getAttribute('aria-disabled')).toBe('true'));
  submit();
  expect(findPressable('Yes, submit')).toBeUndefined();
  release();
  await waitFor(() => expect(heading()).toBe('Admission form already submitted!'));
  expect(toasts()).toEqual(['Thank you filling admission form']);
  expect(sentAs(submitForm, server)).toHaveLength(1);
  expect(server.sent.filter(({ path }) => path.endsWith('/inquiry')).length).toBeGreaterThan(1);
  expect(whereWeAre()).toBe('/admission4');
  expect(document.querySelector('main :is(form, input, select, textarea, button)')).toBeNull();
  await visit('/admission4');
  expect(heading()).toBe('Admission form already submitted!');
  expect(document.querySelector('.section a[href="tel:02612221100"]')).not.toBeNull();
  expect(page()).toContain(inquiry.inquiryNo);
  expect(page()).toMatch(/Submitted.*1 Jun 2026, \d\d:\d\d/);
  expect([...document.querySelectorAll('main ul li')].map(({ textContent }) => textContent)).toEqual([
    'Your answers to all five steps',
    'Birth Certificate',
    'Aadhar Card',
  ]);
  expect(page()).toContain('What happens next');
});

test('B21 the gaps that the server finds on saved pages are links to page and field, and saving there comes straight back', async () => {
  const gap = (path: string, name: string, label: string, message: string) => ({
    page: path,
    field: name,
    label: { id: label },
    message: { id: message },
  });
  const gaps = [
    gap('/admission', 'bloodGroup', 'Blood Group', 'Blood Group is required.'),
    gap('/admission1', 'fatherBirthDate', 'Birth Date', 'Birth Date is required.'),
    gap('/admission3', 'reasonsForAdmission', 'Why this school?', 'Answer this question.'),
  ];
  const server = await openForm('/admission4', {
    pages: 4,
    documents: both,
    answers: { [submitForm]: refused('invalid', 'There is a problem', { data: { gaps } }) },
  });
  enterLanguages();
  submit();
  confirm();
  await waitFor(() => expect(document.activeElement).toBe(summary()));
  const links = [...(summary()?.querySelectorAll('a') ?? [])];
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'Blood Group is required.',
    'Birth Date is required.',
    'Why this school? Answer this question.',
  ]);
  expect(links.map((a) => a.getAttribute('href'))).toEqual(
    gaps.map(({ page: path, field: name }) => `${path}?inquiryNo=${link}&return=check#${name}`),
  );

  await visit('/admission3?return=check#reasonsForAdmission');
  await waitFor(() => expect(document.activeElement).toBe(field('reasonsForAdmission')));
  enter(additionalInfoAnswers);
  saveAndNext();
  await waitFor(() => expect(whereWeAre()).toBe('/admission4#check-reasonsForAdmission'));
  server.answers[submitForm] = takeForm(server);
  await waitFor(() => expect(findPressable('Submit Form')).toBeDefined());
  expect(answerOf('primaryLangatHome')).toBe('Gujarati');
  submit();
  confirm();
  await waitFor(() => expect(heading()).toBe('Admission form already submitted!'));
});

test('B10 on page 5 a refused upload and then a refused submission leave one "There is a problem"', async () => {
  await openForm('/admission4');
  press('Upload');
  await waitFor(() => expect(document.activeElement).toBe(summary()));
  expect(summary()?.textContent).toContain('Document Name is Required');
  submit();
  await waitFor(() => expect(summary()?.textContent).toContain('Primary Language is required.'));
  expect(summaries()).toHaveLength(1);
  await waitFor(() => expect(document.activeElement).toBe(summary()));
});

test('a form is not submitted while a document is being uploaded', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const server = await openForm('/admission4', {
    pages: 4,
    documents: both,
    answers: {
      [add]: async () => {
        await held;
        return rowsOf(documentApi.add, [...both, documentRow('Other', 'Report card')]);
      },
    },
  });
  enterLanguages();
  fill('documentName', 'Other');
  fill('otherDocumentDescription', 'Report card');
  await attach(paper);
  press('Upload');
  await waitFor(() => expect(page()).toContain('Uploading 50 %'));
  submit();
  await waitFor(() =>
    expect(summary()?.textContent).toContain('Wait until the document is uploaded, or cancel the upload.'),
  );
  expect(sentAs(submitForm, server)).toEqual([]);
  release();
  await waitFor(() => expect(cells()).toContain('Report card'));
});

test('the other languages are folded to those that are ticked, and open for what is wrong', async () => {
  await openForm('/admission4', { pages: 4, documents: both });
  const fold = () => field('otherLangChildKnow').closest('details');
  expect(fold()?.open).toBe(false);
  expect(fold()?.querySelector('summary')?.textContent).toBe('Other languages your child knows Choose');
  submit();
  await waitFor(() => expect(fold()?.open).toBe(true));
  choose('otherLangChildKnow', 'Hindi');
  choose('otherLangChildKnow', 'English');
  expect(fold()?.querySelector('summary')?.textContent).toBe('Other languages your child knows Hindi, English');
});
