import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { optionalText, rule, text, yesNo } from '#kit/contract/fields.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { pictureTooLarge } from './basic-info.ts';
import { envelope, formKeys, noInput, path, stamps } from './form.ts';

interface Box {
  name: string;
  label: string;
  max: number;
}

export interface Question {
  name: string;
  label: string;
  opens: readonly Box[];
}

/** The Yes/No health questions. The page draws itself from this list and the rules below read it. */
export const healthQuestions = [
  {
    name: 'isChronicIllnessInjurySurgery',
    label: 'Has your child had a chronic illness, serious injury or surgery?',
    opens: [
      { name: 'chronicIllnessInjurySurgeryDescription', label: 'Illness, injury or surgery: description', max: 1000 },
      { name: 'chronicIllnessTreatmentBySchool', label: 'Illness, injury or surgery: treatment by school', max: 1000 },
    ],
  },
  {
    name: 'isUnderMedicalCareOrRegularMedication',
    label: 'Is your child under medical care or on regular medication?',
    opens: [
      {
        name: 'medicalCareOrRegularMedicationDescription',
        label: 'Medical care or medication: description',
        max: 1000,
      },
    ],
  },
  { name: 'isVaccinated', label: 'Is your child vaccinated?', opens: [] },
  {
    name: 'isSufferingFromAllergies',
    label: 'Does your child suffer from allergies?',
    opens: [
      { name: 'allergiesDescription', label: 'Allergies: description', max: 1000 },
      { name: 'allergiesTreatmentBySchool', label: 'Allergies: treatment by school', max: 1000 },
    ],
  },
  {
    name: 'isPhysicalDisability',
    label: 'Does your child have a physical disability?',
    opens: [{ name: 'physicalDisabilityDescription', label: 'Physical disability: description', max: 1000 }],
  },
  {
    name: 'isRestrictedPhysicalActivity',
    label: 'Must your child’s physical activity be restricted?',
    opens: [{ name: 'restrictedPhysicalActivityDescription', label: 'Restricted activity: description', max: 1000 }],
  },
  {
    name: 'isDevelopmentalSeverelyDelay',
    label: 'Does your child have a severe developmental delay?',
    opens: [{ name: 'developmentalSeverelyDelayDescription', label: 'Developmental delay: description', max: 1000 }],
  },
  {
    name: 'isADHDOrSimilarCondition',
    label: 'Does your child have ADHD or a similar condition?',
    opens: [{ name: 'adhdOrSimilarConditionDescription', label: 'ADHD or similar: description', max: 100 }],
  },
  {
    name: 'isRecommendedToPsychiatristOrSpecialist',
    label: 'Has anyone recommended a psychiatrist or other specialist?',
    opens: [
      { name: 'psychiatristOrSpecialistDescription', label: 'Psychiatrist or specialist: description', max: 1000 },
    ],
  },
  {
    name: 'isSpecialNeeds',
    label: 'Does your child have special needs?',
    opens: [{ name: 'specialNeedsDescription', label: 'Special needs: description', max: 1000 }],
  },
  {
    name: 'isRecommendedForSpecialNeedsProgram',
    label: 'Has a special-needs programme been recommended?',
    opens: [{ name: 'specialNeedsProgramDescription', label: 'Special-needs programme: description', max: 1000 }],
  },
  { name: 'isEverExpelledFromSchool', label: 'Has your child ever been expelled from a school?', opens: [] },
] as const satisfies Question[];

type Questions = (typeof healthQuestions)[number];
type BoxName = Questions['opens'][number]['name'];

const answers = Object.fromEntries(healthQuestions.map(({ name, label }) => [name, yesNo(label)])) as Record<
  Questions['name'],
  ReturnType<typeof yesNo>
>;
const boxes = Object.fromEntries(
  healthQuestions.flatMap(({ opens }) => opens.map(({ name, label, max }) => [name, optionalText(label, max)])),
) as Record<BoxName, ReturnType<typeof optionalText>>;

export const vaccinationCard: UploadRule = {
  label: 'Vaccination card',
  kinds: ['png', 'jpeg'],
  maxBytes: 2 * megabyte,
  wrongType: 'Select a PNG, JPG or JPEG picture.',
  tooLarge: pictureTooLarge,
};

export const vaccinationCardRequired =
  'Vaccination image is required. Please upload the vaccination image before proceeding.';

/** The messages that the rule below gives, for the catalogues. */
export const healthMessages = [
  ...healthQuestions.flatMap(({ opens }) => opens.map(({ label }) => `${label} is required.`)),
  vaccinationCardRequired,
];

export const healthDraft = z
  .object({
    ...formKeys,
    childPersonalityAndHomeRoutine: text('Personality and home routine', 1000),
    ...answers,
    ...boxes,
    dailyElectronicDevicesUsageTime: text('Daily time with electronic devices', 100),
    programsWatchedOrGamesPlayedName: text('Programs watched or games played', 500),
  })
  .check(
    rule((draft, say) => {
      for (const { name, opens } of healthQuestions) {
        for (const box of draft[name] === true ? opens : []) {
          if (!draft[box.name]) say(box.name, `${box.label} is required.`);
        }
      }
    }),
  );

const answersOut = Object.fromEntries(healthQuestions.map(({ name }) => [name, z.boolean()])) as Record<
  Questions['name'],
  z.ZodMiniBoolean
>;
const boxesOut = Object.fromEntries(Object.keys(boxes).map((name) => [name, z.string()])) as Record<
  BoxName,
  z.ZodMiniString
>;

export const health = z.object({
  studentAdmissionChildHealthDetailsID: z.number(),
  admissionID: z.number(),
  inquiryNo: z.string(),
  childPersonalityAndHomeRoutine: z.string(),
  ...answersOut,
  ...boxesOut,
  dailyElectronicDevicesUsageTime: z.string(),
  programsWatchedOrGamesPlayedName: z.string(),
  vaccinationCardFilePath: z.nullable(z.string()),
  vaccinationFilePath: z.nullable(z.string()),
  ...stamps,
  createdDateTime: z.string(),
  updatedDateTime: z.string(),
});
export type Health = z.infer<typeof health>;

const output = envelope('lstStudentAdmissionChildHealthDetailsModel', health);
const url = `${path}/health`;

export const healthApi = {
  get: endpoint({ method: 'GET', path: url, access: 'link', envelope: true, input: noInput, output }),
  save: endpoint({
    method: 'POST',
    path: url,
    access: 'link',
    envelope: true,
    input: healthDraft,
    output,
    files: { VaccinationFileIFormFile: vaccinationCard },
  }),
};
