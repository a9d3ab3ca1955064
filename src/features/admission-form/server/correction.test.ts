import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { educationAnswers } from '#database/seed/answers.ts';
import { open } from '#kit/server/security/sealed.ts';
import { requestCorrection } from '#testing/correction.ts';
import { type Family, familyInquiry, openSchool, photo, type School } from '#testing/school.ts';
import { findLinkHolder } from './link.ts';

let school: School;
let staffId: number;
beforeAll(async () => {
  school = await openSchool();
  ({ staffId } = await school.person());
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const father = { section: 'Family', field: 'fatherHobbies', remark: 'Please name one hobby.' };

/** A family whose form was submitted and of which the school asks to correct these pages. */
async function askedFor(pages: number[], remarks = [father], values = familyInquiry) {
  const family = await school.inquiry(values);
  await family.fillAll();
  await family.post('education-history', educationAnswers);
  expect((await family.submit()).status).toBe(200);
  await requestCorrection(school, family, { staffId, pages, remarks });
  return family;
}

const frozenCopies = async ({ id }: Family) => {
  const rows = await school.services.db
    .selectFrom('admission_submission')
    .where('inquiry_id', '=', id)
    .select('copy')
    .orderBy('id')
    .execute();
  const { data } = school.services.keys;
  return rows.map(({ copy }) => JSON.parse(open(data, `admission_submission.copy:${id}`, copy).toString()));
};

const resubmit = (family: Family) => family.post('correction', {});

const stateOf = async ({ id }: Family) => {
  const [state] = await school.sql(`select state, status, open_pages, submitted_at = received_at as is_in,
    (select answered_at is not null from admission_correction where inquiry_id = inquiry.id) as is_answered,
    (select count(*)::int from outbox where subject_id = inquiry.id and template = 'admission.submitted') as mails
    from admission_inquiry inquiry where id = ${id}`);
  return state;
};

describe('a correction', () => {
  test('B49 a correction reopens only the named pages, and its submission keeps the first frozen copy', async () => {
    const family = await askedFor([2]);
    await school.sql(`insert into admission_verdict values (${family.id}, 'Family', 'Needs correction', ${staffId}, now()),
      (${family.id}, 'Child', 'Accepted', ${staffId}, now())`);
    const [inquiry] = (await family.get('inquiry')).json;
    expect(inquiry).toMatchObject({ isFormSubmitted: false, correction: { pages: [2], remarks: [father] } });

    expect((await family.saveParentInfo({ fatherHobbies: 'Chess' }, {})).status).toBe(200);
    expect((await resubmit(family)).json).toMatchObject({
      isSuccess: true,
      message: 'Thank you filling admission form',
    });
    const [first, second, ...more] = await frozenCopies(family);
    expect(more).toEqual([]);
    expect(first.parentInfo.fatherHobbies).toBe('Cricket');
    expect(second).toEqual({ ...first, parentInfo: { ...first.parentInfo, fatherHobbies: 'Chess' } });
    expect(await stateOf(family)).toEqual({
      state: 'Under review',
      status: 'Under review',
      open_pages: [],
      is_in: true,
      is_answered: true,
      mails: 4,
    });
    expect(await school.sql(`select section from admission_verdict where inquiry_id = ${family.id}`)).toEqual([
      { section: 'Child' },
    ]);
    expect((await family.get('inquiry')).json).toMatchObject([{ isFormSubmitted: true, status: 'Under review' }]);
    const audited = await school.sql(`select action from audit where entity_id = ${family.id}
      and action like 'admission.form.%' order by id`);
    expect(audited).toEqual([{ action: 'admission.form.submitted' }, { action: 'admission.form.corrected' }]);
    expect((await resubmit(family)).json.code).toBe('already_submitted');
  });

  test('a remark is answered once its page is saved or its rejected document replaced by one upload', async () => {
    const documents = ['Birth Certificate', 'Aadhar Card'].map((field) => ({
      section: 'Documents',
      field,
      remark: 'x',
    }));
    const family = await askedFor([2, 5], [father, ...documents]);
    await school.sql(`insert into admission_document_verdict (document_id, result, remark, staff_id, decided_at)
      select id, 'Rejected', 'Blurred', ${staffId}, now() from admission_document where inquiry_id = ${family.id}`);
    const answered = async () => {
      const [{ correction }] = (await family.get('inquiry')).json;
      return correction.remarks.map(({ isAnswered }: { isAnswered: boolean }) => isAnswered);
    };
    const rejected = async () => {
      const { resultList } = (await family.get('documents')).json.data;
      return resultList.map((row: { documentName: string; isRejected: boolean }) => [row.documentName, row.isRejected]);
    };
    expect(await answered()).toEqual([false, false, false]);
    expect(await rejected()).toEqual([
      ['Birth Certificate', true],
      ['Aadhar Card', true],
    ]);
    await family.saveParentInfo({}, {});
    expect((await family.upload('Birth Certificate')).status).toBe(200);
    expect(await answered()).toEqual([true, true, false]);
    expect(await rejected()).toEqual([
      ['Aadhar Card', true],
      ['Birth Certificate', false],
    ]);
    expect((await family.upload('Birth Certificate')).status).toBe(409);
  });

  test('A2.2 changes nothing but the pages that were reopened', async () => {
    const family = await askedFor([2]);
    const closed = [
      () => family.saveBasicInfo(),
      () => family.saveHealth(),
      () => family.saveAdditionalInfo(),
      () => family.submit(),
      () => family.post('siblings', { siblingName: '' }),
      () => family.post('education-history', educationAnswers),
      () => family.remove('education-history/1'),
      () => family.upload('Other', { otherDocumentDescription: 'x' }),
      () => family.remove('documents/1'),
      ...['basic-info', 'education-history', 'health', 'additional-info', 'documents', 'language'].map(
        (page) => () => family.draft(page, {}),
      ),
    ];
    for (const write of closed) {
      const { status, json } = await write();
      expect([write.toString(), status, json.code]).toEqual([write.toString(), 409, 'already_submitted']);
    }
    const stillOpen = [
      () => family.saveParentInfo({}, {}),
      () => family.draft('parent-info', { fatherHobbies: 'Ch' }),
      () => family.post('message-to-school', { about: 'Father', messageText: 'He has no hobby.' }),
      () => family.post('send-link', {}),
    ];
    for (const write of stillOpen) expect((await write()).status).toBe(200);
  });

  test('a change of a page that was closed since the request began is refused', async () => {
    const family = await askedFor([1, 2]);
    const holder = await findLinkHolder(school.services, family.link);
    await school.sql(`update admission_inquiry set open_pages = '{2}' where id = ${family.id}`);
    const found = vi.spyOn(school.services.linkHolders, 'inquiryNo').mockResolvedValue(holder);
    const late = await family.saveBasicInfo({ religion: 'Too late' });
    found.mockRestore();
    expect([late.status, late.json.code]).toEqual([409, 'already_submitted']);
    expect(await school.sql(`select religion from admission_basic_info where inquiry_id = ${family.id}`)).not.toEqual([
      { religion: 'Too late' },
    ]);
  });

  test('C9 a closed page and its files answer nothing personal, an open one is read as before', async () => {
    const family = await askedFor([3], [], {
      ...familyInquiry,
      firstName: 'Marker-first',
      fatherFirstName: 'Marker-father',
      fatherMobile: '9825066666',
    });
    const markers = ['Marker', 'Patel', '9825066666', 'Adajan', 'Indian', 'Chess', 'Cricket', '1234', 'Textiles'];
    for (const path of [
      'inquiry',
      'basic-info',
      `basic-info/${family.id}`,
      'parent-info',
      'careers',
      'careers/1/specialties',
      'additional-info',
      'language',
      'documents',
    ]) {
      const { status, text, json } = await family.get(path);
      expect([path, status]).toEqual([path, 200]);
      for (const marker of markers) expect([path, marker, text.includes(marker)]).toEqual([path, marker, false]);
      if (path !== 'inquiry')
        expect(json).toMatchObject({ isSuccess: false, message: 'Admission form already submitted!' });
    }
    expect((await family.get('draft/basic-info')).json.code).toBe('already_submitted');
    expect((await family.get('draft/health')).status).toBe(200);
    for (const path of ['health', 'education-history']) expect((await family.get(path)).json.isSuccess).toBe(true);

    const [files] = await school.sql(`select photo_id, family_photo_id, file_id from admission_basic_info child
      join admission_parent_info parents using (inquiry_id) join admission_document paper using (inquiry_id)
      where inquiry_id = ${family.id} limit 1`);
    const served = async () => {
      const found = Object.entries(files ?? {}).map(async ([name, id]) =>
        (await family.get(`files/${id}`)).status === 200 ? [name] : [],
      );
      return (await Promise.all(found)).flat();
    };
    expect(await served()).toEqual([]);
    for (const [page, name] of [
      [1, 'photo_id'],
      [2, 'family_photo_id'],
      [5, 'file_id'],
    ]) {
      await school.sql(`update admission_inquiry set open_pages = '{${page}}' where id = ${family.id}`);
      expect(await served()).toEqual([name]);
    }
    await school.sql(`update admission_inquiry set open_pages = '{3}' where id = ${family.id}`);
    await family.saveHealth({ isVaccinated: 'true' }, { VaccinationFileIFormFile: await photo() });
    const [health] = (await family.get('health')).json.data.lstStudentAdmissionChildHealthDetailsModel;
    expect((await family.get(`files/${health.vaccinationFilePath}`)).status).toBe(200);
  });

  test('page 4 does not ask about a father whom the closed page 2 cannot name', async () => {
    const family = await school.inquiry({ ...familyInquiry, fatherFirstName: undefined });
    await family.fillAll();
    await family.saveParentInfo({ hasNoFather: 'true', noFatherReason: 'Single parent' });
    await family.saveAdditionalInfo({ timeSpentWithChildFather: '' });
    await family.submit();
    await requestCorrection(school, family, { staffId, pages: [4] });
    expect((await family.get('inquiry')).json[0].detailsNotApplicable).toEqual(['father']);
    await family.saveAdditionalInfo({ timeSpentWithChildFather: '' });
    expect((await resubmit(family)).status).toBe(200);
  });
});

describe('its submission', () => {
  test('with the last page open takes the languages again, and is not sent without them', async () => {
    const family = await askedFor([2, 5]);
    const refused = await resubmit(family);
    expect([refused.status, refused.json.code]).toEqual([409, 'conflict']);
    expect((await family.submit({ primaryLangatHome: 'Hindi' })).status).toBe(200);
    const [first, second] = await frozenCopies(family);
    expect([first.language.primaryLangatHome, second.language.primaryLangatHome]).toEqual(['Gujarati', 'Hindi']);
    expect(await stateOf(family)).toMatchObject({ state: 'Under review', open_pages: [], is_answered: true, mails: 4 });
  });

  test('outside a correction is refused', async () => {
    const family = await school.inquiry();
    await family.fillAll();
    expect((await resubmit(family)).json.code).toBe('already_submitted');
    await family.submit();
    expect((await resubmit(family)).json.code).toBe('already_submitted');
  });

  test('is stopped by gaps and unsaved changes of open pages only', async () => {
    const family = await askedFor([2]);
    await school.sql(`delete from admission_health where inquiry_id = ${family.id}`);
    await school.sql(`delete from admission_document where inquiry_id = ${family.id}`);
    await school.sql(`update admission_parent_info set mother_hobbies = '' where inquiry_id = ${family.id}`);
    const gapsOf = async () =>
      (await resubmit(family)).json.data.gaps.map(({ page, field }: Record<string, string>) => [page, field]);
    expect(await gapsOf()).toEqual([['/admission1', 'motherHobbies']]);
    await family.saveParentInfo({}, {});
    await family.draft('parent-info', { motherHobbies: 'Half a wo' });
    expect(await gapsOf()).toEqual([['/admission1', 'motherHobbies']]);
    await family.saveParentInfo({}, {});
    expect((await resubmit(family)).status).toBe(200);
  });

  test('shows a corrected Aadhaar number by its mark where both masks are equal', async () => {
    const family = await askedFor([1]);
    await family.saveBasicInfo({ aadharCardNo: '1234 0000 1234' }, {});
    await resubmit(family);
    await requestCorrection(school, family, { staffId, pages: [1] });
    await resubmit(family);
    const copies = await frozenCopies(family);
    expect(new Set(copies.map(({ basicInfo }) => basicInfo.aadharCardNo))).toEqual(new Set(['XXXX XXXX 1234']));
    const [first, second, third] = copies.map(({ aadhaarMark }) => aadhaarMark);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect([second === first, third === second]).toEqual([false, true]);
  });
});
