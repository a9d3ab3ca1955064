// Smoke: runs on the oldest PostgreSQL too.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { educationAnswers, languageAnswers } from '#database/seed/answers.ts';
import { isRequired } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { open } from '#kit/server/security/sealed.ts';
import { type Family, familyInquiry, openOwnSchool, paper, photo, type School } from '#testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openOwnSchool();
});
afterAll(() => school.close());

const messages = (id: number) =>
  school.sql(`select recipient from outbox where subject_id = ${id} and template = 'admission.submitted'`);

describe('documents', () => {
  test('S126 S127 S128 S131 are added, listed in resultList, viewed and removed', async () => {
    const family = await school.inquiry();
    expect((await family.get('documents')).json).toMatchObject({ isSuccess: false, data: { resultList: [] } });
    const added = await family.upload('Other', { otherDocumentDescription: 'Report card' });
    expect(added.json).toMatchObject({ isSuccess: true, message: 'File Uploded Successfully' });
    const [row] = added.json.data.resultList;
    expect(row).toMatchObject({
      documentName: 'Other',
      otherDocumentDescription: 'Report card',
      documentFileType: 'image/jpeg',
    });
    expect((await family.get(`files/${row.documentFilePath}`)).status).toBe(200);
    const removed = await family.remove(`documents/${row.studentAdmissionDocumentsID}`);
    expect(removed.json).toMatchObject({
      isSuccess: true,
      message: 'Document Deleted Successfully',
      data: { resultList: [] },
    });
    expect((await family.get(`files/${row.documentFilePath}`)).status).toBe(404);
  });

  test('S123 D12 RA39 of twenty with the same name at once, one is kept', async () => {
    const family = await school.inquiry();
    const answers = await Promise.all(Array.from({ length: 20 }, () => family.upload('Birth Certificate')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // A link may send only some files at the same time; the others are refused before they are read.
    const compared = answers.filter(({ status }) => ![200, 429].includes(status));
    expect(compared.length).toBeGreaterThan(0);
    for (const { status, json } of compared) {
      expect(status).toBe(409);
      expect(json.errors).toEqual({ documentName: 'Document already uploded please select another document' });
    }
    expect(await school.sql(`select count(*)::int as files from file where owner_id = ${family.id}`)).toEqual([
      { files: 1 },
    ]);
  });

  test('a row number given with an upload replaces that document', async () => {
    const family = await school.inquiry();
    const [first] = (await family.upload('Birth Certificate')).json.data.resultList;
    const again = await family.upload('Birth Certificate', {
      studentAdmissionDocumentsID: first.studentAdmissionDocumentsID,
    });
    expect(again.json.data.resultList).toHaveLength(1);
    expect((await family.get(`files/${first.documentFilePath}`)).status).toBe(404);
  });

  test('S121 S122 are refused without a name, a description or a file', async () => {
    const family = await school.inquiry();
    expect((await family.upload('')).json.errors).toEqual({ documentName: 'Document Name is Required' });
    expect((await family.upload('Other')).json.errors).toEqual({ otherDocumentDescription: 'Description is Required' });
    expect((await family.upload('Aadhar Card', {}, null)).json.errors).toEqual({
      DocumentIFormFile: 'Choose a file.',
    });
  });
});

describe('the submission', () => {
  test('S130 RA36 RA38 saves the language profile, closes the form and thanks', async () => {
    const family = await school.inquiry();
    await family.fillAll();
    const answer = await family.submit();
    expect(answer.json).toMatchObject({ isSuccess: true, message: 'Thank you filling admission form' });
    expect((await family.get('inquiry')).json).toMatchObject([
      { isFormSubmitted: true, inquiryNo: family.inquiryNo, status: 'Received' },
    ]);
    const [row] = await school.sql(
      `select first_generation_learner, home_language from admission_language where inquiry_id = ${family.id}`,
    );
    expect(row).toEqual({ first_generation_learner: true, home_language: 'Gujarati' });
    expect(await messages(family.id)).toHaveLength(2);
    expect(
      await school.sql(
        `select actor from audit where action = 'admission.form.submitted' and entity_id = ${family.id}`,
      ),
    ).toEqual([{ actor: 'Parent' }]);

    const { copy } = await school.services.db
      .selectFrom('admission_submission')
      .where('inquiry_id', '=', family.id)
      .select('copy')
      .executeTakeFirstOrThrow();
    const frozen = JSON.parse(
      open(school.services.keys.data, `admission_submission.copy:${family.id}`, copy).toString(),
    );
    expect(frozen).toMatchObject({
      basicInfo: { firstName: 'Meera', aadharCardNo: 'XXXX XXXX 1234' },
      documents: [{}, {}],
      language: { primaryLangatHome: 'Gujarati' },
    });
  });

  test('S129 is refused without both documents', async () => {
    const family = await school.inquiry();
    await family.fillAll();
    const [birth] = (await family.get('documents')).json.data.resultList;
    await family.remove(`documents/${birth.studentAdmissionDocumentsID}`);
    const refused = await family.submit();
    expect(refused.status).toBe(422);
    expect(refused.json).toMatchObject({
      isSuccess: false,
      message: 'Please upload all required document',
      errors: { documentName: 'Please upload all required document' },
    });
    expect((await family.get('inquiry')).json[0].isFormSubmitted).toBe(false);
    await family.upload('Birth Certificate');
    expect((await family.submit()).status).toBe(200);
  });

  test('RA40 is not refused for a document that staff have waived', async () => {
    const family = await school.inquiry();
    await family.fillAll();
    const documents = (await family.get('documents')).json.data.resultList;
    for (const { studentAdmissionDocumentsID } of documents)
      await family.remove(`documents/${studentAdmissionDocumentsID}`);
    expect((await family.submit()).status).toBe(422);
    await school.sql(
      `insert into admission_document_waiver values (${family.id}, 'Birth Certificate', 'Lost in a flood', null), (${family.id}, 'Aadhar Card', 'Applied for', null)`,
    );
    expect((await family.submit()).status).toBe(200);
  });

  test('passes for a family without a father to name, and tells what was handed in', async () => {
    const family = await school.inquiry();
    await family.fillAll();
    await family.saveParentInfo({ hasNoFather: 'true', noFatherReason: 'Single parent' });
    await family.saveAdditionalInfo({ timeSpentWithChildFather: '' });
    expect((await family.submit()).status).toBe(200);
    expect((await family.get('inquiry')).json[0].documentNames).toEqual(['Birth Certificate', 'Aadhar Card']);
  });

  test('is refused with the father’s gaps once he is to be named after all', async () => {
    const family = await school.inquiry({ motherFirstName: 'Hetal' });
    await family.fillAll();
    await family.saveParentInfo({ hasNoFather: 'true', noFatherReason: 'Single parent' });
    await family.saveAdditionalInfo({ timeSpentWithChildFather: '' });
    await family.saveParentInfo();
    const { gaps } = (await family.submit()).json.data;
    expect(gaps.map(({ field }: { field: string }) => field)).toEqual(['timeSpentWithChildFather']);
  });

  test('B21 C8 RA37 called first, it lists every gap with its page and field and keeps nothing', async () => {
    const family = await school.inquiry();
    const refused = await family.submit();
    expect(refused.status).toBe(422);
    const { gaps } = refused.json.data;
    const on = (page: string) => gaps.filter((gap: { page: string }) => gap.page === page);
    expect(on('/admission')).toContainEqual({
      page: '/admission',
      field: 'bloodGroup',
      label: { id: 'Blood Group' },
      message: isRequired(text`Blood Group`),
    });
    expect(on('/admission')).toContainEqual({
      page: '/admission',
      field: 'admissionStudentImageIFormFile',
      message: { id: 'Child Photo is required. Please upload Child Photo.' },
    });
    const named = (page: string) => on(page).map(({ field }: { field: string }) => field);
    expect(named('/admission1')).toEqual(
      expect.arrayContaining(['fatherBirthDate', 'motherHobbies', 'FamilyImageIFormFile', 'isParentLocalGuardian']),
    );
    // A value of the inquiry is locked on the page: no parent could correct it there.
    for (const locked of ['firstName', 'birthDate']) expect(named('/admission')).not.toContain(locked);
    for (const locked of ['fatherFirstName', 'motherEmailID']) expect(named('/admission1')).not.toContain(locked);
    expect(on('/admission2').length).toBeGreaterThan(12);
    expect(on('/admission3').length).toBeGreaterThan(8);
    expect(on('/admission4')).toEqual([
      { page: '/admission4', field: 'documentName', message: { id: 'Please upload all required document' } },
    ]);
    expect(
      await school.sql(`select count(*)::int as rows from admission_language where inquiry_id = ${family.id}`),
    ).toEqual([{ rows: 0 }]);
  });

  test('B15 K1 K2 of twenty at once, one is made and one message sent to each parent', async () => {
    const family = await school.inquiry();
    await family.fillAll();
    const answers = await Promise.all(Array.from({ length: 20 }, () => family.submit()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    expect(answers.find(({ status }) => status === 409)?.json).toMatchObject({
      code: 'already_submitted',
      message: 'Admission form already submitted!',
    });
    expect(
      await school.sql(`select count(*)::int as rows from admission_submission where inquiry_id = ${family.id}`),
    ).toEqual([{ rows: 1 }]);
    expect(await messages(family.id)).toHaveLength(2);
  });

  test('C8 against the removal of a document at the same instant, one of the two wins and nothing is half done', async () => {
    for (let round = 0; round < 10; round++) {
      const family = await school.inquiry();
      await family.fillAll();
      const [document] = (await family.get('documents')).json.data.resultList;
      const [submitted, removed] = await Promise.all([
        family.submit(),
        family.remove(`documents/${document.studentAdmissionDocumentsID}`),
      ]);
      const isIn = (await family.get('inquiry')).json[0].isFormSubmitted;
      const [{ rows } = { rows: 0 }] = await school.sql(
        `select count(*)::int as rows from admission_document where inquiry_id = ${family.id}`,
      );
      expect([submitted?.status, removed?.status, isIn, rows]).toEqual(
        isIn ? [200, 409, true, 2] : [422, 200, false, 1],
      );
    }
  });

  test('J4 if any of its statements fails, everything is rolled back', async () => {
    for (const [table, event] of [
      ['admission_language', 'insert'],
      ['admission_submission', 'insert'],
      ['admission_inquiry', 'update'],
      ['outbox', 'insert'],
      ['audit', 'insert'],
    ]) {
      const family = await school.inquiry({ ...familyInquiry, motherEmail: `${table}@family.example` });
      await family.fillAll();
      await school.sql(
        `create function fail_${table}() returns trigger language plpgsql as 'begin raise exception ''planned''; end'`,
      );
      const when = table === 'admission_inquiry' ? 'when (new.submitted_at is not null)' : '';
      await school.sql(
        `create trigger fail before ${event} on ${table} for each row ${when} execute function fail_${table}()`,
      );
      expect((await family.submit()).status, table).toBe(500);
      await school.sql(`drop trigger fail on ${table}`);
      const [state] = await school.sql(`select
        (select count(*)::int from admission_language where inquiry_id = ${family.id}) as language,
        (select count(*)::int from admission_submission where inquiry_id = ${family.id}) as copies,
        (select submitted_at from admission_inquiry where id = ${family.id}) as submitted`);
      expect([table, state]).toEqual([table, { language: 0, copies: 0, submitted: null }]);
      expect(await messages(family.id)).toEqual([]);
      expect((await family.submit()).status, table).toBe(200);
    }
  });
});

describe('after the submission', () => {
  let family: Family;
  beforeAll(async () => {
    family = await school.inquiry({
      ...familyInquiry,
      firstName: 'Marker-first',
      fatherFirstName: 'Marker-father',
      fatherMobile: '9825066666',
    });
    await family.fillAll();
    await family.post('education-history', { ...educationAnswers, schoolName: 'Marker-school' });
    await family.submit();
  });

  test('C7 every write answers 409 already_submitted', async () => {
    const writes = [
      () => family.saveBasicInfo(),
      () => family.saveParentInfo(),
      () => family.saveHealth(),
      () => family.saveAdditionalInfo(),
      () => family.submit(),
      () => family.post('siblings', { siblingName: '' }),
      () => family.post('education-history', educationAnswers),
      () => family.remove('education-history/1'),
      () => family.upload('Other', { otherDocumentDescription: 'x' }),
      () => family.remove('documents/1'),
    ];
    for (const write of writes) {
      const { status, json } = await write();
      expect([status, json.code]).toEqual([409, 'already_submitted']);
    }
  });

  test('S012 C9 RA2 every read gives number, time and status, and nothing personal', async () => {
    const [document] = await school.sql(`select file_id from admission_document where inquiry_id = ${family.id}`);
    const markers = [
      'Marker',
      'Patel',
      '9825066666',
      'Surat',
      'Rivera',
      'Indian',
      'Cricket',
      'Gujarati',
      '1234',
      'Motu',
      'Ramesh',
      'Textiles',
      'family.example',
    ];
    for (const path of [
      'inquiry',
      'basic-info',
      `basic-info/${family.id}`,
      'parent-info',
      'siblings',
      'education-history',
      'health',
      'additional-info',
      'language',
      'documents',
    ]) {
      const { status, text, json } = await family.get(path);
      expect([path, status]).toEqual([path, 200]);
      for (const marker of markers) expect(text).not.toContain(marker);
      expect(text).toContain(family.inquiryNo);
      if (path !== 'inquiry')
        expect(json).toMatchObject({
          isSuccess: false,
          message: 'Admission form already submitted!',
          data: { submitted: { status: 'Received' } },
        });
    }
    expect((await family.get(`files/${document?.file_id}`)).status).toBe(404);
  });
});

describe('the same request again', () => {
  const key = () => ({ 'idempotency-key': crypto.randomUUID() });

  test('B16 K1 with its Idempotency-Key gets its first answer and changes nothing', async () => {
    const family = await school.inquiry();
    const again = key();
    const first = await family.post('education-history', educationAnswers, again);
    const second = await family.post('education-history', educationAnswers, again);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(
      (await family.get('education-history')).json.data.lstStudentAdmissionChildEducationHistoryModel,
    ).toHaveLength(1);
    const race = key();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => family.post('education-history', educationAnswers, race)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(
      (await family.get('education-history')).json.data.lstStudentAdmissionChildEducationHistoryModel,
    ).toHaveLength(2);
  });

  test('B16 of an upload makes one document, and of the submission gives its thanks again', async () => {
    const family = await school.inquiry();
    await family.fillAll();
    const { form } = await import('#testing/school.ts');
    const upload = () =>
      paper('Other').then((file) => form({ documentName: 'No Due Certificate' }, { DocumentIFormFile: file }));
    const [uploadKey, submitKey] = [key(), key()];
    const texts = [
      (await family.post('documents', await upload(), uploadKey)).text,
      (await family.post('documents', await upload(), uploadKey)).text,
    ];
    expect(texts[0]).toBe(texts[1]);
    const thanks = [
      (await family.post('language', languageAnswers, submitKey)).text,
      (await family.post('language', languageAnswers, submitKey)).text,
    ];
    expect(thanks[0]).toContain('Thank you filling admission form');
    expect(thanks[1]).toBe(thanks[0]);
  });

  test('K1 with a key that was used for something else is refused, and another family’s key is its own', async () => {
    const [ours, theirs] = [await school.inquiry(), await school.inquiry()];
    const shared = key();
    await ours.post('education-history', educationAnswers, shared);
    expect((await ours.post('education-history', { ...educationAnswers, city: 'Pune' }, shared)).status).toBe(422);
    expect((await ours.saveBasicInfo({}, { admissionStudentImageIFormFile: await photo() })).status).toBe(200);
    const other = await theirs.post('education-history', educationAnswers, shared);
    expect(other.json.data.lstStudentAdmissionChildEducationHistoryModel[0].admissionID).toBe(theirs.id);
  });

  test('I4 keeps its answer unreadable in the database, and forgets a refused one', async () => {
    const family = await school.inquiry();
    const refused = key();
    expect((await family.post('education-history', { ...educationAnswers, city: '' }, refused)).status).toBe(422);
    expect(
      (await family.post('education-history', { ...educationAnswers, schoolName: 'Answer-marker' }, refused)).status,
    ).toBe(200);
    const rows = await school.sql(
      `select encode(answer, 'escape') as text from repeated_request where owner = 'link:${family.id}'`,
    );
    expect(rows).toHaveLength(1);
    expect(String(rows[0]?.text)).not.toContain('marker');
  });
});
