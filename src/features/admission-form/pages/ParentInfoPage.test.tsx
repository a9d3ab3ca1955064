import { fireEvent, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { address, parentInfoAnswers } from '#database/seed/answers.ts';
import { careerApi } from '#features/admission-form/contract/career.ts';
import {
  answerOf,
  attach,
  choose,
  controls,
  descriptionOf,
  enter,
  expectPage,
  expectProblems,
  facts,
  field,
  file,
  fill,
  findPressable,
  heads,
  link,
  nameOf,
  nothingKnown,
  openForm,
  optionsOf,
  page,
  press,
  problemBeside,
  question,
  rowsIn,
  saveAndNext,
  sectors,
  setChecked,
  specialties,
  toasts,
  whereWeAre,
} from '#testing/form-page.tsx';

const familyPhoto = 'FamilyImageIFormFile';
const divorce = 'DivorceDocumentIFormFile';
const adoption = 'AdoptionDocumentIFormFile';
const familyPhotoRequired = 'Family Photo is required. Please upload Family Photo.';
const divorceRequired = 'Divorce document is required. Please upload the divorce document before proceeding.';
const adoptionRequired = 'Adoption document is required. Please upload the adoption document before proceeding.';
const sectorRequired = 'Which sector do you work with is  Required';
const specialtyRequired = 'Choose the specialty closest to your work is  Required';
const parents = ['father', 'mother'];

const prefixed = (prefix: string, values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));
/** The same for father and mother. */
const both = (values: Record<string, string>) => ({ ...prefixed('father', values), ...prefixed('mother', values) });
const savesOf = ({ sent }: { sent: { method: string; path: string; fields: object }[] }) =>
  sent.filter(({ method, path }) => method === 'POST' && path === '/api/admission/parent-info');

const guardianAnswers = {
  ...prefixed('guardian', address),
  guardianFirstName: 'Ramesh',
  guardianLastName: 'Patel',
  guardianMobileNo: '9825033333',
  guardianEmailID: 'ramesh.patel@family.example',
  guardianChildLivingReason: 'The parents work abroad.',
  guardianOccupation: 'Homemaker',
};

test('S054 what the inquiry knows of the parents is shown and cannot be edited', async () => {
  await openForm('/admission1');
  expect(facts('First Name')).toEqual(['Nikhil', 'Hetal']);
  expect(facts('Last Name')).toEqual(['Patel', 'Patel']);
  expect(facts('Mobile No')).toEqual(['9825011111', '9825022222']);
  expect(facts('Email ID')).toEqual(['nikhil.patel@family.example', 'hetal.patel@family.example']);
  for (const part of ['FirstName', 'LastName', 'MobileNo', 'EmailID'])
    for (const who of parents) expect(controls(`${who}${part}`)).toEqual([]);
});

test('S055 S056 S057 S058 S059 S060 S061 S062 S063 S064 S065 S078 an empty page 2 is refused, every gap named, and nothing of a guardian is asked', async () => {
  const server = await openForm('/admission1', { inquiry: nothingKnown });
  for (const who of parents) {
    expect(rowsIn(`${who}Occupation`)).toEqual(['Service/Job', 'Business', 'Homemaker']);
    expect(rowsIn(`${who}CanOfferInternship`)).toEqual(['Yes', 'No', 'May Be']);
    expect(answerOf(`${who}Occupation`)).toBe('');
    expect(answerOf(`${who}CanOfferInternship`)).toBe('');
    expect(descriptionOf(question(`${who}CanOfferInternship`))).toMatch(/from Grade 8 onwards/);
  }

  saveAndNext();
  await expectProblems({
    [familyPhoto]: familyPhotoRequired,
    ...both({
      FirstName: 'First Name is required.',
      LastName: 'Last Name is required.',
      MobileNo: 'Mobile No is required',
      EmailID: 'Email ID is required.',
      BirthDate: 'Birth Date is required.',
      Qualification: 'Qualification is required.',
      Occupation: 'Employment Status is required.',
      OccupationOrganization: 'Organization is required.',
      OccupationDtl: 'Occupational Profile is required.',
      CanOfferInternship: 'Internship answer is required.',
      CanVisitWorkplace: 'Field trip answer is required.',
      Hobbies: 'Hobbies is required.',
    }),
    isParentLocalGuardian: 'Answer this question.',
  });
  expect(toasts()).toEqual([]);
  expect(whereWeAre()).toBe('/admission1');
  expect(savesOf(server)).toEqual([]);
});

test('S055 S056 S057 S059 S060 S061 S062 one character too many or a wrong number is refused, the longest answers are saved', async () => {
  const server = await openForm('/admission1', { inquiry: nothingKnown });
  const unseen = /CareerClusterID|CareePathwayID|WorkplaceInfo|staffHRISEmployeeID/;
  const shown = Object.fromEntries(Object.entries(parentInfoAnswers(0, 0)).filter(([name]) => !unseen.test(name)));
  enter({ ...shown, ...both({ Occupation: 'Homemaker' }) });
  await attach(familyPhoto);
  const limits = {
    FirstName: 50,
    LastName: 50,
    Qualification: 100,
    OccupationOrganization: 100,
    OccupationDtl: 500,
    Hobbies: 100,
  };
  const filled = (extra: number) =>
    Object.fromEntries(Object.entries(limits).map(([name, most]) => [name, 'x'.repeat(most + extra)]));

  enter(both({ ...filled(1), MobileNo: '982501111', EmailID: 'nikhil.patel' }));
  saveAndNext();
  await expectProblems(
    both({
      FirstName: 'Use at most 50 characters.',
      LastName: 'Use at most 50 characters.',
      MobileNo: 'Mobile No is not valid.',
      EmailID: 'Email ID is not valid.',
      Qualification: 'Use at most 100 characters.',
      OccupationOrganization: 'Use at most 100 characters.',
      OccupationDtl: 'Use at most 500 characters.',
      Hobbies: 'Use at most 100 characters.',
    }),
  );

  const longest = both({ ...filled(0), MobileNo: '9825011111', EmailID: 'patel@family.example' });
  enter(longest);
  saveAndNext();
  await expectPage('/admission2');
  expect(savesOf(server)).toMatchObject([{ fields: longest }]);
});

test('S065 a Yes to field trips opens a box for details, a No puts it away', async () => {
  await openForm('/admission1');
  for (const who of parents) {
    expect(controls(`${who}WorkplaceInfo`)).toEqual([]);
    choose(`${who}CanVisitWorkplace`, 'true');
    expect(controls(`${who}WorkplaceInfo`)).toHaveLength(1);
    choose(`${who}CanVisitWorkplace`, 'false');
    expect(controls(`${who}WorkplaceInfo`)).toEqual([]);
  }
});

test('S067 specialties of a sector that was chosen without a network come when the network is back', async () => {
  const server = await openForm('/admission1');
  const specialtiesRead = nameOf(careerApi.specialties);
  const answer = server.answers[specialtiesRead];
  server.answers[specialtiesRead] = undefined;
  choose('fatherOccupation', 'Business');
  fill('fatherCareerClusterID', '3');
  await waitFor(() => expect(page()).toContain('This could not be loaded.'));
  server.answers[specialtiesRead] = answer;
  fireEvent(window, new Event('online'));
  await waitFor(() => expect(field('fatherCareePathwayID').textContent).toContain('Advocacy'));
  expect(page()).not.toContain('This could not be loaded.');
});

test('S066 S067 S068 S069 sector and specialty are asked of everyone but a homemaker, and a sector brings its own specialties', async () => {
  await openForm('/admission1', { pages: 2 });
  choose('motherOccupation', 'Service/Job');
  fill('fatherCareerClusterID', '');
  saveAndNext();
  await expectProblems(both({ CareerClusterID: sectorRequired, CareePathwayID: specialtyRequired }));

  const names = (sector: number) => ['Choose', ...Object.values(specialties[sector] ?? {})];
  expect(optionsOf('motherCareerClusterID')).toEqual(['Choose', ...Object.values(sectors)]);
  fill('motherCareerClusterID', '2');
  await waitFor(() => expect(optionsOf('motherCareePathwayID')).toEqual(names(2)));
  fill('motherCareePathwayID', '23');
  fill('motherCareerClusterID', '3');
  await waitFor(() => expect(optionsOf('motherCareePathwayID')).toEqual(names(3)));
  expect(field('motherCareePathwayID').value).toBe('');
  choose('fatherOccupation', 'Homemaker');
  saveAndNext();
  await expectProblems({ motherCareePathwayID: specialtyRequired });
  for (const name of ['fatherCareerClusterID', 'fatherCareePathwayID']) {
    expect(field(name).disabled).toBe(true);
    expect(field(name).value).toBe('');
  }

  choose('fatherOccupation', 'Business');
  expect(field('fatherCareerClusterID').disabled).toBe(false);
  fill('fatherCareerClusterID', '2');
  await waitFor(() => expect(field('fatherCareePathwayID').disabled).toBe(false));
  choose('fatherOccupation', 'Homemaker');
  choose('motherOccupation', 'Homemaker');
  saveAndNext();
  await expectPage('/admission2');
});

test('S006 S070 with the parents as local guardians no guardian is asked for; Previous and Save and Next lead to the pages beside', async () => {
  await openForm('/admission1', { pages: 2 });
  choose('isParentLocalGuardian', 'false');
  expect(controls('guardianFirstName')).toHaveLength(1);
  choose('isParentLocalGuardian', 'true');
  expect(document.querySelectorAll('[name^="guardian"]')).toHaveLength(0);
  saveAndNext();
  await expectPage('/admission2');
  press('Previous');
  await expectPage('/admission1');
  press('Previous');
  await expectPage('/admission');
});

test('S071 S072 S074 a local guardian’s details are required, all but relationship, address 2 and what is about the work', async () => {
  await openForm('/admission1', { pages: 2 });
  choose('isParentLocalGuardian', 'false');
  saveAndNext();
  await expectProblems({
    guardianFirstName: 'First Name is required.',
    guardianLastName: 'Last Name is required.',
    guardianMobileNo: 'Mobile No is required',
    guardianEmailID: 'Email ID is required.',
    guardianChildLivingReason: 'Reason for living with the guardian is required.',
    guardianOccupation: 'Employment Status is required.',
    guardianStreetNo: 'Street No is required.',
    guardianAddress1: 'Address 1 is required.',
    guardianCity: 'City is required.',
    guardianState: 'State is required.',
    guardianCountry: 'Country is required.',
    guardianPinCode: 'Pin Code is required.',
  });

  enter({ ...guardianAnswers, guardianAddress2: '', guardianOccupation: 'Business' });
  saveAndNext();
  await expectProblems({
    guardianCareerClusterID: sectorRequired,
    guardianCareePathwayID: specialtyRequired,
  });
  fill('guardianCareerClusterID', '2');
  await waitFor(() => expect(optionsOf('guardianCareePathwayID')).toContain('Nursing'));
  fill('guardianCareePathwayID', '23');
  expect(field('guardianRelationwithChild').value).toBe('');
  saveAndNext();
  await expectPage('/admission2');
});

test('S073 a guardian’s answers are refused when too long and saved at their longest', async () => {
  await openForm('/admission1', { pages: 2 });
  choose('isParentLocalGuardian', 'false');
  enter(guardianAnswers);
  const limits: [name: string, most: number][] = [
    ['guardianRelationwithChild', 50],
    ['guardianChildLivingReason', 250],
    ['guardianAddress1', 200],
    ['guardianAddress2', 200],
    ['guardianStreetNo', 20],
    ['guardianPinCode', 10],
  ];
  const mail = (most: number) => `patel@${'x'.repeat(most - 'patel@.example'.length)}.example`;
  for (const [name, most] of limits) fill(name, '1'.repeat(most + 1));
  fill('guardianEmailID', mail(101));
  for (const mobile of ['982503333', '98250333333']) {
    fill('guardianMobileNo', mobile);
    saveAndNext();
    await expectProblems({
      ...Object.fromEntries(limits.map(([name, most]) => [name, `Use at most ${most} characters.`])),
      guardianEmailID: 'Use at most 100 characters.',
      guardianMobileNo: 'Mobile No is not valid.',
    });
  }
  for (const [name, most] of limits) fill(name, '1'.repeat(most));
  fill('guardianEmailID', mail(100));
  fill('guardianMobileNo', '9825033333');
  saveAndNext();
  await expectPage('/admission2');
});

test('S075 S076 S077 S083 a Yes to divorce or adoption needs its document, shown when stored; after a No a Yes asks again', async () => {
  const answer = (value: 'true' | 'false') => {
    choose('isParentDivorced', value);
    choose('isChildAdopted', value);
  };
  const server = await openForm('/admission1', { pages: 2 });
  answer('true');
  saveAndNext();
  await expectProblems({ [divorce]: divorceRequired, [adoption]: adoptionRequired });
  await attach(divorce);
  await attach(adoption);
  saveAndNext();
  await expectPage('/admission2');
  expect(savesOf(server)).toMatchObject([
    {
      fields: { isParentDivorced: 'true', isChildAdopted: 'true', [divorce]: 'picture.png', [adoption]: 'picture.png' },
    },
  ]);

  const stored = { divorceDocumentPath: 'divorce-paper', adoptionDocumentPath: 'adoption-paper' };
  const again = await openForm('/admission1', {
    pages: 2,
    over: { 'parent-info': { isParentDivorced: true, isChildAdopted: true, ...stored } },
  });
  for (const [label, id] of [
    ['Family Photo', 'family-photo'],
    ['Divorce document', 'divorce-paper'],
    ['Adoption document', 'adoption-paper'],
  ])
    expect(document.querySelector(`img[alt="${label}, uploaded"]`)?.getAttribute('src')).toBe(
      `/api/admission/files/${id}?inquiryNo=${link}`,
    );
  answer('false');
  answer('true');
  saveAndNext();
  await expectProblems({ [divorce]: divorceRequired, [adoption]: adoptionRequired });
  answer('false');
  saveAndNext();
  await expectPage('/admission2');
  expect(savesOf(again)).toMatchObject([
    {
      fields: { isParentDivorced: 'false', divorceDocumentPath: '', isChildAdopted: 'false', adoptionDocumentPath: '' },
    },
  ]);
});

test('S078 S079 S080 S081 the family photo may be a GIF, the documents not, and none may exceed 2 MB', async () => {
  await openForm('/admission1', { pages: 2 });
  choose('isParentDivorced', 'true');
  choose('isChildAdopted', 'true');
  const refuse = async (name: string, chosen: File, words: string) => {
    fireEvent.change(field(name), { target: { files: [chosen] } });
    await waitFor(() => expect(problemBeside(name)).toBe(words));
    expect(toasts()).toContain(words);
  };
  const gif = file('picture.gif', heads.gif);
  for (const name of [divorce, adoption]) await refuse(name, gif, 'Select a PNG, JPG or JPEG picture.');
  await refuse(familyPhoto, file('family.pdf', heads.pdf), 'Select a PNG, JPG, JPEG or GIF picture.');
  for (const name of [familyPhoto, divorce, adoption])
    await refuse(name, file('large.png', heads.png, 2 * 1024 * 1024 + 1), 'File size exceeds 2MB');

  choose('isParentDivorced', 'false');
  choose('isChildAdopted', 'false');
  await attach(familyPhoto, gif);
  await waitFor(() => expect(question(familyPhoto).textContent).toContain('picture.gif'));
  saveAndNext();
  await expectPage('/admission2');
});

test('S078 a stored family photo is not asked for again, though another file was refused', async () => {
  await openForm('/admission1', { pages: 2 });
  fireEvent.change(field(familyPhoto), { target: { files: [file('family.pdf', heads.pdf)] } });
  await waitFor(() => expect(problemBeside(familyPhoto)).toBeDefined());
  saveAndNext();
  await expectPage('/admission2');
});

test('S082 page 2 goes over the wire as one multipart request under the specification’s names', async () => {
  const server = await openForm('/admission1');
  const answers = parentInfoAnswers(1, 11);
  const locked = /^(father|mother)(FirstName|LastName|MobileNo|EmailID)$/;
  const hidden = ['staffHRISEmployeeID', 'fatherWorkplaceInfo', 'motherWorkplaceInfo', 'fatherCareePathwayID'];
  const asked = Object.entries(answers).filter(
    ([name]) => !locked.test(name) && !hidden.includes(name) && !/^motherCaree/.test(name),
  );
  enter({ ...Object.fromEntries(asked), isParentDivorced: 'true', isChildAdopted: 'true' });
  await waitFor(() => expect(optionsOf('fatherCareePathwayID')).toContain('Textiles'));
  fill('fatherCareePathwayID', '11');
  for (const name of [familyPhoto, divorce, adoption]) await attach(name);
  saveAndNext();
  await expectPage('/admission2');
  expect(savesOf(server)).toMatchObject([
    {
      isMultipart: true,
      fields: {
        ...answers,
        isParentDivorced: 'true',
        isChildAdopted: 'true',
        inquiryNoMD5: link,
        createdBy: '0',
        updatedBy: '0',
        guardianCareerClusterID: '',
        guardianCareePathwayID: '',
        guardianRelationwithChild: '',
        [familyPhoto]: 'picture.png',
        [divorce]: 'picture.png',
        [adoption]: 'picture.png',
      },
    },
  ]);
});

test('RA26 RA30 divorce and adoption start at No, and a homemaker is spared inventing an organization', async () => {
  await openForm('/admission1');
  for (const name of ['isParentDivorced', 'isChildAdopted']) expect(answerOf(name)).toBe('false');
  choose('motherOccupation', 'Homemaker');
  expect(field('motherOccupationOrganization').value).toBe('Not applicable');
  expect(field('motherOccupationDtl').value).toBe('Homemaker');
  fill('fatherOccupationOrganization', 'Own words');
  choose('fatherOccupation', 'Homemaker');
  expect(field('fatherOccupationOrganization').value).toBe('Own words');
});

test.each([
  ['father', 'hasNoFather', 'noFatherReason'],
  ['mother', 'hasNoMother', 'noMotherReason'],
])('of a %s who cannot be named only the reason is asked, and nothing else is sent', async (who, tick, reason) => {
  const server = await openForm('/admission1', { pages: 2 });
  fill(`${who}Hobbies`, 'Chess');
  setChecked(tick, true);
  expect(document.querySelectorAll(`[name^="${who}"]`)).toHaveLength(0);
  expect(rowsIn(reason)).toEqual(['Not alive', 'Single parent', 'Adopted', 'Not known', 'Prefer to tell the school']);
  saveAndNext();
  await expectProblems({ [reason]: 'Choose one from the list.' });
  choose(reason, 'Not alive');
  saveAndNext();
  await expectPage('/admission2');
  expect(savesOf(server)).toMatchObject([
    { fields: { [tick]: 'true', [reason]: 'Not alive', [`${who}FirstName`]: '', [`${who}Hobbies`]: '' } },
  ]);
});

test('unticking "There is no father to name" brings back what was typed and what the inquiry knows', async () => {
  const server = await openForm('/admission1', { pages: 2 });
  fill('fatherHobbies', 'Chess');
  setChecked('hasNoFather', true);
  setChecked('hasNoFather', false);
  expect(field('fatherHobbies').value).toBe('Chess');
  expect(facts('First Name')).toEqual(['Nikhil', 'Hetal']);
  saveAndNext();
  await expectPage('/admission2');
  expect(savesOf(server)).toMatchObject([
    { fields: { hasNoFather: 'false', noFatherReason: '', fatherFirstName: 'Nikhil', fatherHobbies: 'Chess' } },
  ]);
});

test('a father saved as one who cannot be named comes back so', async () => {
  await openForm('/admission1', {
    pages: 2,
    over: { 'parent-info': { hasNoFather: true, noFatherReason: 'Adopted', fatherFirstName: '', fatherMobileNo: '' } },
  });
  expect(field('hasNoFather').checked).toBe(true);
  expect(answerOf('noFatherReason')).toBe('Adopted');
  expect(controls('fatherHobbies')).toEqual([]);
});

test('without a father and a mother to name a guardian is asked for', async () => {
  await openForm('/admission1', { pages: 2 });
  setChecked('hasNoFather', true);
  choose('noFatherReason', 'Not known');
  setChecked('hasNoMother', true);
  choose('noMotherReason', 'Not known');
  saveAndNext();
  await expectProblems({ isParentLocalGuardian: 'Answer No and name a guardian: no parent is named above.' });
});

test('whether a parent works at the school may stay unanswered, and says so', async () => {
  await openForm('/admission1');
  expect(question('parentWorkingatFS').querySelector('legend')?.textContent).toMatch(/\(optional\)$/);
});

test('B29 the PIN code of a guardian offers city and state', async () => {
  await openForm('/admission1', { pages: 2 });
  choose('isParentLocalGuardian', 'false');
  fill('guardianPinCode', '834001');
  await waitFor(() => expect(findPressable('Use Jharkhand')).toBeDefined());
  press('Use Jharkhand');
  expect(field('guardianState').value).toBe('Jharkhand');
});

test('what few families have to say is folded, and open for those who said it', async () => {
  await openForm('/admission1');
  expect(field('isParentDivorced').closest('details')?.open).toBe(false);
  await openForm('/admission1', {
    pages: 2,
    over: { 'parent-info': { otherFamilyIssueDtl: 'The father works abroad.' } },
  });
  expect(field('isParentDivorced').closest('details')?.open).toBe(true);
});

test('an email address of the inquiry breaks only before its @ or after a dot', async () => {
  await openForm('/admission1');
  const [email] = [...document.querySelectorAll('dd')].filter(({ textContent }) => textContent.includes('@'));
  expect([...(email?.querySelectorAll('span') ?? [])].map((part) => part.textContent)).toEqual([
    'nikhil.',
    'patel',
    '@family.',
    'example',
  ]);
});
