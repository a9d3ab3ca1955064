/** The column of each wire field. Wire names are the specification's, letter for letter, even if misspelt. */
export const basicInfoColumns = {
  firstName: 'first_name',
  lastName: 'last_name',
  birthDate: 'birth_date',
  bloodGroup: 'blood_group',
  nationality: 'nationality',
  caste: 'caste',
  subCaste: 'sub_caste',
  religion: 'religion',
  emergencyMobileNo: 'emergency_mobile',
  foodOption: 'food_option',
  isTransportServiceOpted: 'wants_transport',
  studentUID: 'student_uid',
  schoolDISECode: 'school_dise_code',
  sameAsPresentAddress: 'same_address',
  currentStreetNo: 'current_street_no',
  currentAddress1: 'current_address1',
  currentAddress2: 'current_address2',
  currentCity: 'current_city',
  currentState: 'current_state',
  currentCountry: 'current_country',
  currentPinCode: 'current_pin_code',
  permanentStreetNo: 'permanent_street_no',
  permanentAddress1: 'permanent_address1',
  permanentAddress2: 'permanent_address2',
  permanentCity: 'permanent_city',
  permanentState: 'permanent_state',
  permanentCountry: 'permanent_country',
  permanentPinCode: 'permanent_pin_code',
} as const;

export const parentInfoColumns = {
  parentWorkingatFS: 'works_here',
  staffHRISEmployeeID: 'staff_employee_id',
  hasNoFather: 'has_no_father',
  noFatherReason: 'no_father_reason',
  hasNoMother: 'has_no_mother',
  noMotherReason: 'no_mother_reason',
  fatherFirstName: 'father_first_name',
  fatherLastName: 'father_last_name',
  fatherMobileNo: 'father_mobile',
  fatherEmailID: 'father_email',
  fatherBirthDate: 'father_birth_date',
  fatherQualification: 'father_qualification',
  fatherOccupation: 'father_occupation',
  fatherOccupationOrganization: 'father_organization',
  fatherOccupationDtl: 'father_profile',
  fatherCareerClusterID: 'father_sector_id',
  fatherCareePathwayID: 'father_specialty_id',
  fatherCanOfferInternship: 'father_internship',
  fatherCanVisitWorkplace: 'father_field_trip',
  fatherWorkplaceInfo: 'father_field_trip_details',
  fatherHobbies: 'father_hobbies',
  motherFirstName: 'mother_first_name',
  motherLastName: 'mother_last_name',
  motherMobileNo: 'mother_mobile',
  motherEmailID: 'mother_email',
  motherBirthDate: 'mother_birth_date',
  motherQualification: 'mother_qualification',
  motherOccupation: 'mother_occupation',
  motherOccupationOrganization: 'mother_organization',
  motherOccupationDtl: 'mother_profile',
  motherCareerClusterID: 'mother_sector_id',
  motherCareePathwayID: 'mother_specialty_id',
  motherCanOfferInternship: 'mother_internship',
  motherCanVisitWorkplace: 'mother_field_trip',
  motherWorkplaceInfo: 'mother_field_trip_details',
  motherHobbies: 'mother_hobbies',
  isParentDivorced: 'is_divorced',
  isChildAdopted: 'is_adopted',
  otherFamilyIssueDtl: 'other_family_information',
  isParentLocalGuardian: 'parents_are_guardians',
  guardianFirstName: 'guardian_first_name',
  guardianLastName: 'guardian_last_name',
  guardianMobileNo: 'guardian_mobile',
  guardianEmailID: 'guardian_email',
  guardianRelationwithChild: 'guardian_relation',
  guardianChildLivingReason: 'guardian_reason',
  guardianQualification: 'guardian_qualification',
  guardianOccupation: 'guardian_occupation',
  guardianOrganizationName: 'guardian_organization',
  guardianOccupationDtl: 'guardian_profile',
  guardianCareerClusterID: 'guardian_sector_id',
  guardianCareePathwayID: 'guardian_specialty_id',
  guardianCanOfferInternship: 'guardian_internship',
  guardianCanVisitWorkplace: 'guardian_field_trip',
  guardianWorkplaceInfo: 'guardian_field_trip_details',
  guardianStreetNo: 'guardian_street_no',
  guardianAddress1: 'guardian_address1',
  guardianAddress2: 'guardian_address2',
  guardianCity: 'guardian_city',
  guardianState: 'guardian_state',
  guardianCountry: 'guardian_country',
  guardianPinCode: 'guardian_pin_code',
} as const;

export const educationColumns = {
  fromGrade: 'from_grade',
  toGrade: 'to_grade',
  boardName: 'board_name',
  schoolName: 'school_name',
  city: 'city',
} as const;

export const additionalInfoColumns = {
  emergencyContact1FirstName: 'contact1_first_name',
  emergencyContact1LastName: 'contact1_last_name',
  emergencyContact1MobileNo: 'contact1_mobile',
  emergencyContact1Relationship: 'contact1_relationship',
  emergencyContact2FirstName: 'contact2_first_name',
  emergencyContact2LastName: 'contact2_last_name',
  emergencyContact2MobileNo: 'contact2_mobile',
  emergencyContact2Relationship: 'contact2_relationship',
  isMedicalEmergencyAuthorized: 'authorizes_emergency',
  timeSpentWithChildFather: 'time_with_father',
  timeSpentWithChildMother: 'time_with_mother',
  parentingBeliefAndPhilosophy: 'parenting_belief',
  reasonsForAdmission: 'reasons_for_admission',
} as const;

export const languageColumns = {
  primaryLangatHome: 'home_language',
  otherLangChildKnow: 'other_languages',
  // The question is "first-generation English learner"; only the wire calls it fluency (A38).
  isChildFluentInEnglish: 'first_generation_learner',
  childStudyLangPreferance: 'study_language',
  langPreferanceWithSchool: 'school_language',
  isChildHaveReplacedLang: 'has_replaced_language',
  repalcedLangOfChild: 'replaced_language',
} as const;

/** The inquiry's columns that fill in and lock fields of pages 1 and 2. */
export const inquiryColumns = {
  firstName: 'first_name',
  lastName: 'last_name',
  birthDate: 'birth_date',
  fatherFirstName: 'father_first_name',
  fatherLastName: 'father_last_name',
  fatherMobileNo: 'father_mobile',
  fatherEmailID: 'father_email',
  motherFirstName: 'mother_first_name',
  motherLastName: 'mother_last_name',
  motherMobileNo: 'mother_mobile',
  motherEmailID: 'mother_email',
} as const;

type Columns = Readonly<Record<string, string>>;
type RowOf<Map extends Columns, Draft> = {
  [Field in keyof Map & keyof Draft as Map[Field]]: Draft[Field];
};
type WireOf<Map extends Columns, Row> = {
  [Field in keyof Map]: Map[Field] extends keyof Row ? Row[Map[Field]] : never;
};

/** The columns' names of a map, for a select. */
export const columnsOf = <const Map extends Columns>(map: Map) => Object.values(map) as Map[keyof Map][];

/** A draft's fields as columns. */
export function toRow<const Map extends Columns, Draft extends object>(map: Map, draft: Draft): RowOf<Map, Draft> {
  const values = draft as Record<string, unknown>;
  return Object.fromEntries(Object.entries(map).map(([field, column]) => [column, values[field]])) as RowOf<Map, Draft>;
}

/** A row's columns as fields of the wire. */
export function toWire<const Map extends Columns, Row extends object>(map: Map, row: Row): WireOf<Map, Row> {
  const values = row as Record<string, unknown>;
  return Object.fromEntries(Object.entries(map).map(([field, column]) => [field, values[column]])) as WireOf<Map, Row>;
}
