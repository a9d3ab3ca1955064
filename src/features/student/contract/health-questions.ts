import { type Text, text } from '#kit/contract/text.ts';

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

/** The Yes/No questions about a child's health. The admission form draws its page from this list. */
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
