import { expect, test } from 'vitest';
import { additionalInfo } from '../contract/additional-info.ts';
import { basicInfo } from '../contract/basic-info.ts';
import { documentApi } from '../contract/document.ts';
import { educationApi } from '../contract/education.ts';
import { health } from '../contract/health.ts';
import { language } from '../contract/language.ts';
import { parentInfo } from '../contract/parent-info.ts';

// The specification's names, letter for letter. Do not correct a spelling here: other programs use them.
const person = (who: string) =>
  [
    'FirstName',
    'LastName',
    'MobileNo',
    'EmailID',
    'Qualification',
    'Occupation',
    'CareerClusterID',
    'CareePathwayID',
    'CanOfferInternship',
    'CanVisitWorkplace',
    'WorkplaceInfo',
    'OccupationDtl',
  ].map((part) => who + part);
const parent = (who: string) => [
  ...person(who),
  ...['OccupationOrganization', 'BirthDate', 'Hobbies'].map((part) => who + part),
];
const seven = ['StreetNo', 'Address1', 'Address2', 'City', 'State', 'Country', 'PinCode'];

const frozen: [string, object, string[]][] = [
  [
    'page 1',
    basicInfo.shape,
    [
      ...'admissionID admissionFormEntryDate inquiryNo firstName lastName gender birthDate admissionAcademicYearID academicYear admissionBoardID board admissionProgramID program admissionGradeID grade bloodGroup aadharCardNo nationality caste subCaste religion emergencyMobileNo foodOption isTransportServiceOpted studentUID schoolDISECode sameAsPresentAddress admissionStudentImagePath createdBy updatedBy createdByName updatedByName'.split(
        ' ',
      ),
      ...seven.map((part) => `current${part}`),
      ...seven.map((part) => `permanent${part}`),
    ],
  ],
  [
    'page 2',
    parentInfo.shape,
    [
      ...'admissionID inquiryNo parentWorkingatFS staffHRISEmployeeID isParentDivorced divorceDocumentPath isChildAdopted adoptionDocumentPath isParentLocalGuardian otherFamilyIssueDtl familyImagePath createdBy updatedBy'.split(
        ' ',
      ),
      // Ours: the specification has no field for a parent who cannot be named.
      ...['hasNoFather', 'noFatherReason', 'hasNoMother', 'noMotherReason'],
      ...parent('father'),
      ...parent('mother'),
      ...person('guardian'),
      ...['OrganizationName', 'RelationwithChild', 'ChildLivingReason', ...seven].map((part) => `guardian${part}`),
    ],
  ],
  [
    'page 3',
    health.shape,
    'studentAdmissionChildHealthDetailsID admissionID inquiryNo childPersonalityAndHomeRoutine isChronicIllnessInjurySurgery chronicIllnessInjurySurgeryDescription chronicIllnessTreatmentBySchool isUnderMedicalCareOrRegularMedication medicalCareOrRegularMedicationDescription isVaccinated vaccinationCardFilePath vaccinationFilePath isSufferingFromAllergies allergiesDescription allergiesTreatmentBySchool isPhysicalDisability physicalDisabilityDescription isRestrictedPhysicalActivity restrictedPhysicalActivityDescription isDevelopmentalSeverelyDelay developmentalSeverelyDelayDescription isADHDOrSimilarCondition adhdOrSimilarConditionDescription isRecommendedToPsychiatristOrSpecialist psychiatristOrSpecialistDescription isSpecialNeeds specialNeedsDescription isRecommendedForSpecialNeedsProgram specialNeedsProgramDescription isEverExpelledFromSchool dailyElectronicDevicesUsageTime programsWatchedOrGamesPlayedName createdBy createdDateTime updatedBy updatedDateTime'.split(
      ' ',
    ),
  ],
  [
    'previous schools',
    rowOf(educationApi.list, 'lstStudentAdmissionChildEducationHistoryModel'),
    'studentAdmissionChildEducationHistoryID fromGrade toGrade boardName schoolName city admissionID inquiryNo createdBy'.split(
      ' ',
    ),
  ],
  [
    'page 4',
    additionalInfo.shape,
    'admissionID inquiryNo emergencyContact1FirstName emergencyContact1LastName emergencyContact1MobileNo emergencyContact1Relationship emergencyContact2FirstName emergencyContact2LastName emergencyContact2MobileNo emergencyContact2Relationship isMedicalEmergencyAuthorized timeSpentWithChildFather timeSpentWithChildMother parentingBeliefAndPhilosophy reasonsForAdmission createdBy updatedBy'.split(
      ' ',
    ),
  ],
  [
    'language profile',
    language.shape,
    'studentAdmissionLanguageDtlID admissionID inquiryNo primaryLangatHome otherLangChildKnow isChildFluentInEnglish childStudyLangPreferance langPreferanceWithSchool isChildHaveReplacedLang repalcedLangOfChild createdBy createddatetime updatedby updateddatetime'.split(
      ' ',
    ),
  ],
  [
    'documents',
    rowOf(documentApi.list, 'resultList'),
    'studentAdmissionDocumentsID documentName documentFilePath documentFileType otherDocumentDescription isRejected'.split(
      ' ',
    ),
  ],
];

test.each(frozen)('S082 the wire names of %s are frozen', (_page, shape, names) => {
  expect(Object.keys(shape).sort()).toEqual([...names].sort());
});

function rowOf({ output }: { output: unknown }, list: string): object {
  type Shaped = { shape: { data: { shape: Record<string, { def: { element: { shape: object } } }> } } };
  return (output as Shaped).shape.data.shape[list]?.def.element.shape ?? {};
}
