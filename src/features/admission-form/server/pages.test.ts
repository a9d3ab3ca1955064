import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { educationAnswers } from '#database/seed/answers.ts';
import { openSchool, photo, type School } from '#testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

describe('page 2', () => {
  const rowOf = (answer: { json: { data: { lstStudentAdmissionParentInfo: Record<string, unknown>[] } } }) =>
    answer.json.data.lstStudentAdmissionParentInfo[0];

  test('S015 S083 is saved with its files and comes back with their paths', async () => {
    const family = await school.inquiry();
    expect((await family.get('parent-info')).json).toMatchObject({
      isSuccess: false,
      data: { lstStudentAdmissionParentInfo: [] },
    });
    await family.saveParentInfo(
      { isParentDivorced: 'true', isChildAdopted: 'true' },
      {
        FamilyImageIFormFile: await photo(),
        DivorceDocumentIFormFile: await photo(),
        AdoptionDocumentIFormFile: await photo(),
      },
    );
    const row = rowOf(await family.get('parent-info'));
    for (const path of ['familyImagePath', 'divorceDocumentPath', 'adoptionDocumentPath']) {
      expect((await family.get(`files/${row?.[path]}`)).headers['content-type']).toBe('image/jpeg');
    }
  });

  test('S075 S076 S078 asks for each missing file with its own words', async () => {
    const family = await school.inquiry();
    const { status, json } = await family.saveParentInfo({ isParentDivorced: 'true', isChildAdopted: 'true' }, {});
    expect([status, json.errors]).toEqual([
      422,
      {
        FamilyImageIFormFile: 'Family Photo is required. Please upload Family Photo.',
        DivorceDocumentIFormFile: 'Divorce document is required. Please upload the divorce document before proceeding.',
        AdoptionDocumentIFormFile:
          'Adoption document is required. Please upload the adoption document before proceeding.',
      },
    ]);
  });

  test('S077 RA30 RA31 a No clears the document with the save, and a later Yes asks for one again', async () => {
    const family = await school.inquiry();
    await family.saveParentInfo(
      { isParentDivorced: 'true' },
      { FamilyImageIFormFile: await photo(), DivorceDocumentIFormFile: await photo() },
    );
    const path = rowOf(await family.get('parent-info'))?.divorceDocumentPath;
    await family.saveParentInfo({ isParentDivorced: '' }, {});
    expect(rowOf(await family.get('parent-info'))).toMatchObject({
      isParentDivorced: false,
      divorceDocumentPath: null,
    });
    expect((await family.get(`files/${path}`)).status).toBe(404);
    expect((await family.saveParentInfo({ isParentDivorced: 'true' }, {})).json.errors).toHaveProperty(
      'DivorceDocumentIFormFile',
    );
  });

  test('S054 RA8 what the inquiry knows of the parents stays as it is, before and after a save', async () => {
    const family = await school.inquiry();
    for (const round of [1, 2]) {
      await family.saveParentInfo({
        fatherFirstName: `Mallory${round}`,
        motherEmailID: 'other@family.example',
        fatherMobileNo: '9999999999',
      });
      expect(rowOf(await family.get('parent-info'))).toMatchObject({
        fatherFirstName: 'Nikhil',
        motherEmailID: 'hetal.patel@family.example',
        fatherMobileNo: '9825011111',
      });
    }
  });

  test('RA25 RA26 RA27 every field lands in its column, and a homemaker has no sector', async () => {
    const family = await school.inquiry();
    await family.saveParentInfo({
      motherCareerClusterID: '1',
      motherCareePathwayID: '',
      parentWorkingatFS: 'true',
      staffHRISEmployeeID: 'E-12',
    });
    const [row] =
      await school.sql(`select father_occupation, father_organization, father_profile, mother_sector_id, works_here, staff_employee_id
      from admission_parent_info where inquiry_id = ${family.id}`);
    expect(row).toEqual({
      father_occupation: 'Business',
      father_organization: 'Patel Textiles',
      father_profile: 'Weaving and dyeing of sarees',
      mother_sector_id: null,
      works_here: true,
      staff_employee_id: 'E-12',
    });
  });

  test('S069 a specialty belongs to its sector, on the list and in a save', async () => {
    const family = await school.inquiry();
    const sectors = (await family.get('careers')).json.data.lstCareerMaster;
    expect(sectors.length).toBeGreaterThan(10);
    const [first, second] = await Promise.all(
      sectors.slice(0, 2).map(({ careerID }: { careerID: number }) => family.get(`careers/${careerID}/specialties`)),
    );
    const names = (answer: { json: { data: { lstCareerMaster: { careerName: string }[] } } } | undefined) =>
      answer?.json.data.lstCareerMaster.map(({ careerName }) => careerName) ?? [];
    expect(names(first).length).toBeGreaterThan(1);
    expect(names(first).filter((name) => names(second).includes(name))).toEqual([]);

    const foreign = second?.json.data.lstCareerMaster[0].careerID;
    const refused = await family.saveParentInfo({
      fatherCareerClusterID: sectors[0].careerID,
      fatherCareePathwayID: foreign,
    });
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['fatherCareePathwayID']]);
    const unknown = await family.saveParentInfo({ fatherCareerClusterID: foreign, fatherCareePathwayID: foreign });
    expect(Object.keys(unknown.json.errors)).toEqual(['fatherCareerClusterID', 'fatherCareePathwayID']);
  });

  test('S070 S071 a guardian is kept only while the parents are not the local guardians', async () => {
    const family = await school.inquiry();
    const guardian = {
      isParentLocalGuardian: 'false',
      guardianFirstName: 'Ramesh',
      guardianLastName: 'Patel',
      guardianMobileNo: '98250 55555',
      guardianEmailID: 'r@family.example',
      guardianChildLivingReason: 'Parents work abroad',
      guardianOccupation: 'Homemaker',
      guardianStreetNo: '1',
      guardianAddress1: 'Adajan',
      guardianCity: 'Surat',
      guardianState: 'Gujarat',
      guardianCountry: 'India',
      guardianPinCode: '395009',
    };
    await family.saveParentInfo(guardian);
    expect(rowOf(await family.get('parent-info'))).toMatchObject({
      guardianFirstName: 'Ramesh',
      guardianMobileNo: '9825055555',
    });
    await family.saveParentInfo({ ...guardian, isParentLocalGuardian: 'true' });
    expect(rowOf(await family.get('parent-info'))).toMatchObject({
      guardianFirstName: '',
      guardianMobileNo: '',
      guardianCity: '',
    });
  });

  test('RA9 a waived parent’s details are not asked for, and a request cannot waive them itself', async () => {
    const family = await school.inquiry({ firstName: 'Meera', lastName: 'Patel' });
    const none = Object.fromEntries(
      [
        'FirstName',
        'LastName',
        'MobileNo',
        'EmailID',
        'BirthDate',
        'Qualification',
        'Occupation',
        'OccupationOrganization',
        'OccupationDtl',
        'CanOfferInternship',
        'CanVisitWorkplace',
        'Hobbies',
        'CareerClusterID',
        'CareePathwayID',
      ].map((part) => [`father${part}`, '']),
    );
    expect((await family.saveParentInfo({ ...none, detailsNotApplicable: 'father' })).status).toBe(422);
    await school.sql(`update admission_inquiry set father_waived_reason = 'Single mother' where id = ${family.id}`);
    expect((await family.get('inquiry')).json[0].detailsNotApplicable).toEqual(['father']);
    expect((await family.saveParentInfo(none)).status).toBe(200);
    expect((await family.saveAdditionalInfo({ timeSpentWithChildFather: '' })).status).toBe(200);
    expect((await family.saveAdditionalInfo({ timeSpentWithChildMother: '' })).status).toBe(422);
  });

  const noFather = { hasNoFather: 'true', noFatherReason: 'Not alive' };

  test('of a father who cannot be named only the reason is kept, whatever is sent or the inquiry knows', async () => {
    const family = await school.inquiry();
    expect((await family.saveParentInfo({ ...noFather, noFatherReason: '' })).json.errors).toEqual({
      noFatherReason: 'Choose one from the list.',
    });
    expect((await family.saveParentInfo(noFather)).status).toBe(200);
    expect(rowOf(await family.get('parent-info'))).toMatchObject({
      ...{ hasNoFather: true, noFatherReason: 'Not alive', fatherFirstName: '', fatherMobileNo: '', fatherHobbies: '' },
      ...{ fatherBirthDate: null, fatherCareerClusterID: null, fatherCanVisitWorkplace: null },
      ...{ hasNoMother: false, motherFirstName: 'Hetal' },
    });
    expect((await family.saveParentInfo({ noFatherReason: 'Not alive' })).status).toBe(200);
    expect(rowOf(await family.get('parent-info'))).toMatchObject({
      ...{ hasNoFather: false, noFatherReason: '', fatherFirstName: 'Nikhil' },
    });
    const actions = await school.sql(
      `select action from audit where entity = 'admission_parent_info' and entity_id = ${family.id} order by id`,
    );
    expect(actions.map(({ action }) => action)).toEqual([
      'admission.father.absent',
      'admission.parent-info.saved',
      'admission.father.named',
      'admission.parent-info.saved',
    ]);
  });

  test('page 4 asks for no time with a father whom page 2 does not name, and keeps none', async () => {
    const family = await school.inquiry();
    const time = () =>
      school.sql(`select time_with_father from admission_additional_info where inquiry_id = ${family.id}`);
    expect((await family.saveAdditionalInfo({ timeSpentWithChildFather: '' })).status).toBe(422);
    await family.saveParentInfo(noFather);
    expect((await family.saveAdditionalInfo({ timeSpentWithChildFather: 'Two hours' })).status).toBe(200);
    expect(await time()).toEqual([{ time_with_father: '' }]);
  });

  test('the database keeps a reason only beside its tick, and no name beside either', async () => {
    const family = await school.inquiry();
    await family.saveParentInfo();
    const set = (change: string) =>
      school.sql(`update admission_parent_info set ${change} where inquiry_id = ${family.id}`);
    await expect(set(`no_father_reason = 'Not alive'`)).rejects.toThrow('admission_parent_info_no_father');
    await expect(set('has_no_mother = true')).rejects.toThrow('admission_parent_info_no_mother');
    await expect(set(`has_no_father = true, no_father_reason = 'Adopted'`)).rejects.toThrow('unnamed_father');
  });

  test('the steps that are saved are told with the inquiry', async () => {
    const family = await school.inquiry();
    await family.saveBasicInfo();
    await family.saveHealth();
    expect((await family.get('inquiry')).json[0].savedSteps).toEqual([1, 3]);
  });
});

describe('page 3', () => {
  const rowOf = (answer: {
    json: { data: { lstStudentAdmissionChildHealthDetailsModel: Record<string, unknown>[] } };
  }) => answer.json.data.lstStudentAdmissionChildHealthDetailsModel[0];

  test('S015 I4 health answers come back to the family and are unreadable in the database', async () => {
    const family = await school.inquiry();
    await family.saveHealth({
      isSufferingFromAllergies: 'true',
      allergiesDescription: 'Peanuts-marker',
      allergiesTreatmentBySchool: 'Adrenaline-marker',
    });
    expect(rowOf(await family.get('health'))).toMatchObject({
      isSufferingFromAllergies: true,
      allergiesDescription: 'Peanuts-marker',
      isVaccinated: false,
    });
    const [row] = await school.sql(
      `select encode(answers, 'escape') as text from admission_health where inquiry_id = ${family.id}`,
    );
    expect(String(row?.text)).not.toContain('marker');
    expect(school.log()).not.toContain('marker');
  });

  test('a description is not kept once its question is answered No', async () => {
    const family = await school.inquiry();
    await family.saveHealth({ isSpecialNeeds: 'true', specialNeedsDescription: 'Hearing aid' });
    await family.saveHealth({ isSpecialNeeds: 'false', specialNeedsDescription: 'Hearing aid' });
    expect(rowOf(await family.get('health'))).toMatchObject({ specialNeedsDescription: '' });
  });

  test('S099 S100 RA24 a vaccinated child needs a picture of the card, once, and both path names give it', async () => {
    const family = await school.inquiry();
    const refused = await family.saveHealth({ isVaccinated: 'true' });
    expect([refused.status, refused.json.errors]).toEqual([
      422,
      {
        VaccinationFileIFormFile:
          'Vaccination image is required. Please upload the vaccination image before proceeding.',
      },
    ]);
    await family.saveHealth({ isVaccinated: 'true' }, { VaccinationFileIFormFile: await photo() });
    const row = rowOf(await family.get('health'));
    expect(row?.vaccinationFilePath).toBe(row?.vaccinationCardFilePath);
    expect((await family.saveHealth({ isVaccinated: 'true' })).status).toBe(200);
    expect((await family.saveHealth({ isVaccinated: 'false' })).status).toBe(200);
    expect((await family.get(`files/${row?.vaccinationFilePath}`)).status).toBe(404);
  });

  test('S105 S106 RA34 a previous school is saved at once and removed by its own number', async () => {
    const family = await school.inquiry();
    const added = await family.post('education-history', educationAnswers);
    expect(added.json).toMatchObject({ isSuccess: true, message: "Child's - Education History save Successfully" });
    const [row] = added.json.data.lstStudentAdmissionChildEducationHistoryModel;
    expect(row).toMatchObject({ ...educationAnswers, admissionID: family.id, createdBy: 0 });
    expect((await family.get('education-history')).json.data.lstStudentAdmissionChildEducationHistoryModel).toEqual([
      row,
    ]);
    const removed = await family.remove(`education-history/${row.studentAdmissionChildEducationHistoryID}`);
    expect(removed.json).toMatchObject({
      isSuccess: true,
      data: { lstStudentAdmissionChildEducationHistoryModel: [] },
    });
    expect(removed.json.message).not.toBe('');
  });

  test('S084 RA32 a sibling is what the school says, and a parent can only repeat it', async () => {
    const family = await school.inquiry({ firstName: 'Aarav', siblingNames: 'Asha Shah (Grade 4)' });
    expect((await family.get('siblings')).json.data.lstStudentAdmissionSiblingDetailsModel).toMatchObject([
      { siblingName: 'Asha Shah (Grade 4)' },
    ]);
    expect((await family.post('siblings', { siblingName: 'Asha Shah (Grade 4)' })).status).toBe(200);
    const refused = await family.post('siblings', { siblingName: 'Somebody Else' });
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['siblingName']]);
    expect((await family.post('siblings', { siblingName: 'x'.repeat(201) })).status).toBe(422);
  });
});

test('S114 RA35 the authorization and its moment are stored, and the tick comes back', async () => {
  const family = await school.inquiry();
  await family.saveAdditionalInfo({ isMedicalEmergencyAuthorized: true });
  const at = () => school.sql(`select authorized_at from admission_additional_info where inquiry_id = ${family.id}`);
  const [first] = await at();
  await family.saveAdditionalInfo({ reasonsForAdmission: 'Another reason' });
  expect(await at()).toEqual([first]);
  const [row] = (await family.get('additional-info')).json.data.lstStudentAdmissionAdditionalInfoModel;
  expect(row).toMatchObject({
    isMedicalEmergencyAuthorized: true,
    reasonsForAdmission: 'Another reason',
    emergencyContact1FirstName: 'Ramesh',
  });
  await family.saveAdditionalInfo({ isMedicalEmergencyAuthorized: false });
  expect(await at()).toEqual([{ authorized_at: null }]);
});

test('S016 RA44 who acted is never read from a request', async () => {
  const family = await school.inquiry();
  await family.saveAdditionalInfo({ createdBy: 42, updatedBy: 42, createdDateTime: '2000-01-01' });
  const [row] = (await family.get('additional-info')).json.data.lstStudentAdmissionAdditionalInfoModel;
  expect(row).toMatchObject({ createdBy: 0, updatedBy: 0 });
  expect(
    await school.sql(
      `select distinct actor from audit where entity_id = ${family.id} and entity like 'admission_additional%'`,
    ),
  ).toEqual([{ actor: 'Parent' }]);
});
