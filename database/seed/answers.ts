/** The inquiry's values of a family when the school sends the link. */
export const familyFacts = {
  firstName: 'Meera',
  lastName: 'Patel',
  gender: 'F' as const,
  birthDate: '2020-03-12',
  fatherFirstName: 'Nikhil',
  fatherLastName: 'Patel',
  fatherMobile: '9825011111',
  fatherEmail: 'nikhil.patel@family.example',
  motherFirstName: 'Hetal',
  motherLastName: 'Patel',
  motherMobile: '9825022222',
  motherEmail: 'hetal.patel@family.example',
};

/** A family's complete answers, as the form sends them. The demo school and the tests fill forms with them. */
export const address = {
  StreetNo: '12',
  Address1: 'Rivera Residency, Adajan Road',
  Address2: 'Near Gujarat Gas Circle',
  City: 'Surat',
  State: 'Gujarat',
  Country: 'India',
  PinCode: '395009',
};

const prefixed = (prefix: string, values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));

/** Page 1. The Aadhaar number is not a real one: real ones never begin with 0 or 1. */
export const basicInfoAnswers = {
  firstName: 'Meera',
  lastName: 'Patel',
  birthDate: '2020-03-12',
  bloodGroup: 'B+',
  aadharCardNo: '1234 5678 1234',
  nationality: 'Indian',
  caste: 'Prefer not to say',
  subCaste: 'Prefer not to say',
  religion: 'Hindu',
  emergencyMobileNo: '9825012345',
  foodOption: 'Veg. Food',
  isTransportServiceOpted: 'true',
  studentUID: '24010012345',
  schoolDISECode: '24220100123',
  ...prefixed('current', address),
  sameAsPresentAddress: 'true',
  ...prefixed('permanent', address),
};

const person = (first: string, last: string, mobile: string, email: string) => ({
  FirstName: first,
  LastName: last,
  MobileNo: mobile,
  EmailID: email,
  Qualification: 'B.Com.',
  CanOfferInternship: 'May Be',
  CanVisitWorkplace: 'false',
  WorkplaceInfo: '',
});

/** Page 2, with the sector and specialty the father works in; the mother is a homemaker. */
export const parentInfoAnswers = (sectorId: number, specialtyId: number) => ({
  parentWorkingatFS: 'false',
  staffHRISEmployeeID: '',
  ...prefixed('father', person('Nikhil', 'Patel', '9825011111', 'nikhil.patel@family.example')),
  fatherBirthDate: '1988-07-04',
  fatherOccupation: 'Business',
  fatherOccupationOrganization: 'Patel Textiles',
  fatherOccupationDtl: 'Weaving and dyeing of sarees',
  fatherCareerClusterID: String(sectorId),
  fatherCareePathwayID: String(specialtyId),
  fatherHobbies: 'Cricket',
  ...prefixed('mother', person('Hetal', 'Patel', '9825022222', 'hetal.patel@family.example')),
  motherBirthDate: '1991-11-20',
  motherOccupation: 'Homemaker',
  motherOccupationOrganization: 'Not applicable',
  motherOccupationDtl: 'At home with our children',
  motherCareerClusterID: '',
  motherCareePathwayID: '',
  motherHobbies: 'Books and music',
  isParentDivorced: 'false',
  isChildAdopted: 'false',
  otherFamilyIssueDtl: '',
  isParentLocalGuardian: 'true',
});

/** Page 3, every question answered No. */
export const healthAnswers = {
  childPersonalityAndHomeRoutine: 'Cheerful and curious. Sleeps at nine, likes drawing.',
  isChronicIllnessInjurySurgery: 'false',
  isUnderMedicalCareOrRegularMedication: 'false',
  isVaccinated: 'false',
  isSufferingFromAllergies: 'false',
  isPhysicalDisability: 'false',
  isRestrictedPhysicalActivity: 'false',
  isDevelopmentalSeverelyDelay: 'false',
  isADHDOrSimilarCondition: 'false',
  isRecommendedToPsychiatristOrSpecialist: 'false',
  isSpecialNeeds: 'false',
  isRecommendedForSpecialNeedsProgram: 'false',
  isEverExpelledFromSchool: 'false',
  dailyElectronicDevicesUsageTime: 'Half an hour',
  programsWatchedOrGamesPlayedName: 'Motu Patlu, picture puzzles',
};

/** One row of page 3's previous schools. */
export const educationAnswers = {
  fromGrade: 'Nursery',
  toGrade: 'UKG',
  boardName: 'State',
  schoolName: 'Little Steps Preschool',
  city: 'Surat',
};

/** Page 4. */
export const additionalInfoAnswers = {
  emergencyContact1FirstName: 'Ramesh',
  emergencyContact1LastName: 'Patel',
  emergencyContact1MobileNo: '9825033333',
  emergencyContact1Relationship: 'Grandfather',
  emergencyContact2FirstName: 'Kavita',
  emergencyContact2LastName: 'Shah',
  emergencyContact2MobileNo: '9825044444',
  emergencyContact2Relationship: 'Aunt',
  isMedicalEmergencyAuthorized: true,
  timeSpentWithChildFather: 'Two hours every evening and Sundays',
  timeSpentWithChildMother: 'The whole day',
  parentingBeliefAndPhilosophy: 'Children learn by doing.',
  reasonsForAdmission: 'Close to home, and cousins are happy here.',
};

/** The last page's language profile. */
export const languageAnswers = {
  primaryLangatHome: 'Gujarati',
  otherLangChildKnow: 'Hindi,English',
  isChildFluentInEnglish: true,
  childStudyLangPreferance: 'English',
  langPreferanceWithSchool: 'Gujarati',
  isChildHaveReplacedLang: false,
  repalcedLangOfChild: '',
};
