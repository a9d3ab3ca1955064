import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, optionalFreeText, rule, yesNo } from '#kit/contract/fields.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { pictureTooLarge } from './basic-info.ts';
import { envelope, formKeys, noInput, path, stamps } from './form.ts';

interface Box {
  name: string;
  label: Text;
  hint?: Text;
  max: number;
}

export interface Question {
  name: string;
  label: Text;
  opens: readonly Box[];
}

const treatmentExample = text`For example “Give the inhaler, then call us.”`;

/** The Yes/No health questions. The page draws itself from this list and the rules below read it. */
export const healthQuestions = [
  {
    name: 'isChronicIllnessInjurySurgery',
    label: text`Has your child had a chronic illness, serious injury or surgery?`,
    opens: [
      {
        name: 'chronicIllnessInjurySurgeryDescription',
        label: text`Describe the illness, injury or surgery`,
        max: 1000,
      },
      {
        name: 'chronicIllnessTreatmentBySchool',
        label: text`What should the school do about the illness or injury?`,
        hint: treatmentExample,
        max: 1000,
      },
    ],
  },
  {
    name: 'isUnderMedicalCareOrRegularMedication',
    label: text`Is your child under medical care or on regular medication?`,
    opens: [
      {
        name: 'medicalCareOrRegularMedicationDescription',
        label: text`Describe the medical care or medication`,
        max: 1000,
      },
    ],
  },
  { name: 'isVaccinated', label: text`Is your child vaccinated?`, opens: [] },
  {
    name: 'isSufferingFromAllergies',
    label: text`Does your child suffer from allergies?`,
    opens: [
      { name: 'allergiesDescription', label: text`Describe the allergies`, max: 1000 },
      {
        name: 'allergiesTreatmentBySchool',
        label: text`What should the school do about the allergies?`,
        hint: treatmentExample,
        max: 1000,
      },
    ],
  },
  {
    name: 'isPhysicalDisability',
    label: text`Does your child have a physical disability?`,
    opens: [{ name: 'physicalDisabilityDescription', label: text`Describe the disability`, max: 1000 }],
  },
  {
    name: 'isRestrictedPhysicalActivity',
    label: text`Should your child avoid any sport or exercise?`,
    opens: [
      {
        name: 'restrictedPhysicalActivityDescription',
        label: text`Describe the sport or exercise to avoid`,
        max: 1000,
      },
    ],
  },
  {
    name: 'isDevelopmentalSeverelyDelay',
    label: text`Does your child have a severe developmental delay?`,
    opens: [{ name: 'developmentalSeverelyDelayDescription', label: text`Describe the delay`, max: 1000 }],
  },
  {
    name: 'isADHDOrSimilarCondition',
    label: text`Does your child have ADHD or a similar condition?`,
    opens: [{ name: 'adhdOrSimilarConditionDescription', label: text`Describe the condition`, max: 100 }],
  },
  {
    name: 'isRecommendedToPsychiatristOrSpecialist',
    label: text`Has anyone advised you to take your child to a specialist?`,
    opens: [{ name: 'psychiatristOrSpecialistDescription', label: text`Describe the advice`, max: 1000 }],
  },
  {
    name: 'isSpecialNeeds',
    label: text`Does your child have special needs?`,
    opens: [{ name: 'specialNeedsDescription', label: text`Describe the special needs`, max: 1000 }],
  },
  {
    name: 'isRecommendedForSpecialNeedsProgram',
    label: text`Has a special-needs program been recommended?`,
    opens: [{ name: 'specialNeedsProgramDescription', label: text`Describe the program`, max: 1000 }],
  },
  { name: 'isEverExpelledFromSchool', label: text`Has your child ever been expelled from a school?`, opens: [] },
] as const satisfies Question[];

type Questions = (typeof healthQuestions)[number];
type BoxName = Questions['opens'][number]['name'];

const answers = Object.fromEntries(healthQuestions.map(({ name, label }) => [name, yesNo(label)])) as Record<
  Questions['name'],
  ReturnType<typeof yesNo>
>;
const boxes = Object.fromEntries(
  healthQuestions.flatMap(({ opens }) => opens.map(({ name, label, max }) => [name, optionalFreeText(label, max)])),
) as Record<BoxName, ReturnType<typeof optionalFreeText>>;

export const vaccinationCard: UploadRule = {
  label: text`Vaccination card`,
  kinds: ['png', 'jpeg'],
  maxBytes: 2 * megabyte,
  wrongType: text`Select a PNG, JPG or JPEG picture.`,
  tooLarge: pictureTooLarge,
};

export const vaccinationCardRequired = text`Vaccination image is required. Please upload the vaccination image before proceeding.`;
/** Refuses an empty box under a question answered Yes. */
const boxRequired = text`Fill this in, or answer No above.`;

export const healthDraft = z
  .object({
    ...formKeys,
    childPersonalityAndHomeRoutine: freeText(text`Personality and home routine`, 1000),
    ...answers,
    ...boxes,
    dailyElectronicDevicesUsageTime: freeText(text`Daily time with electronic devices`, 100),
    programsWatchedOrGamesPlayedName: freeText(text`Programs watched or games played`, 500),
  })
  .check(
    rule((draft, say) => {
      for (const { name, opens } of healthQuestions) {
        for (const box of draft[name] === true ? opens : []) {
          if (!draft[box.name]) say(box.name, boxRequired);
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
