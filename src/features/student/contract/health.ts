import * as z from 'zod/mini';
import { admin, staff } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf, outputOf } from '#kit/contract/field.ts';
import { freeText, id, rule } from '#kit/contract/fields.ts';
import { wholeNumber } from '#kit/contract/shell-fields.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { healthQuestions } from './health-questions.ts';
import { changes, path, shows } from './record.ts';

/** Who reads the answers, each time with a reason. */
export const healthReaders = [admin(), staff('principal', 'nurse', 'counsellor')] as const;
/** Who enters them; what is recorded is changed only by those who read it too. */
export const healthKeepers = [admin(), staff('office', 'nurse')] as const;
/** Who sees whether they are recorded. */
export const healthCardReaders = [admin(), staff('office', 'principal', 'nurse', 'counsellor')] as const;

type Question = (typeof healthQuestions)[number];
type QuestionName = Question['name'];
type BoxName = Question['opens'][number]['name'];

/** The questions of the admission form, as facts of a child. */
const questionTitles: Record<QuestionName, Text> = {
  isChronicIllnessInjurySurgery: text`Chronic illness, injury or surgery`,
  isUnderMedicalCareOrRegularMedication: text`Medical care or regular medication`,
  isVaccinated: text`Vaccinated`,
  isSufferingFromAllergies: text`Allergies`,
  isPhysicalDisability: text`Physical disability`,
  isRestrictedPhysicalActivity: text`Sport or exercise to avoid`,
  isDevelopmentalSeverelyDelay: text`Severe developmental delay`,
  isADHDOrSimilarCondition: text`ADHD or a similar condition`,
  isRecommendedToPsychiatristOrSpecialist: text`Specialist advised`,
  isSpecialNeeds: text`Special needs`,
  isRecommendedForSpecialNeedsProgram: text`Special-needs program recommended`,
  isEverExpelledFromSchool: text`Expelled from a school before`,
};

const boxes = healthQuestions.flatMap(({ opens }) => [...opens]);
type Answered = Record<QuestionName, ReturnType<typeof field.yesNo>>;
type Described = Record<BoxName, { kind: 'longText'; label: Text; max: number; optional: true; isUnlogged: true }>;

export const healthFields = {
  ...(Object.fromEntries(
    healthQuestions.map(({ name }) => [name, field.yesNo(questionTitles[name], { isUnlogged: true })]),
  ) as unknown as Answered),
  ...(Object.fromEntries(
    boxes.map(({ name, label, max }) => [name, field.longText(label, { max, optional: true, isUnlogged: true })]),
  ) as unknown as Described),
  childPersonalityAndHomeRoutine: field.longText(text`Personality and home routine`, {
    max: 1000,
    optional: true,
    isUnlogged: true,
  }),
  dailyElectronicDevicesUsageTime: field.text(text`Daily time with electronic devices`, {
    max: 100,
    optional: true,
    isUnlogged: true,
  }),
  programsWatchedOrGamesPlayedName: field.longText(text`Programs watched or games played`, {
    max: 500,
    optional: true,
    isUnlogged: true,
  }),
};

const answers = z.object(outputOf(healthFields));
export type HealthAnswers = z.infer<typeof answers>;

const boxRequired = text`Fill this in, or answer No above.`;
const checkBoxes = rule<Record<string, unknown>>((values, say) => {
  for (const { name, opens } of healthQuestions)
    for (const box of values[name] === true ? opens : []) if (!values[box.name]) say(box.name, boxRequired);
});

const reason = freeText(text`Reason`, 300);

export const healthApi = {
  health: endpoint({
    method: 'GET',
    path: `${path}/:id/health`,
    access: healthCardReaders,
    shows,
    opens: 'student',
    input: z.object({ id }),
    output: z.object({
      /** 0 where nothing is recorded. */
      version: z.number(),
      /** The reader may read the answers with a reason, and may enter or change them. */
      may: z.object({ reveal: z.boolean(), save: z.boolean() }),
    }),
  }),
  saveHealth: endpoint({
    method: 'PUT',
    path: `${path}/:id/health`,
    access: healthKeepers,
    changes,
    input: z
      .object({
        id,
        version: wholeNumber(text`Version`, { least: 0, most: 2_147_483_647 }),
        ...inputOf(healthFields),
      })
      .check(checkBoxes),
    output: z.object({}),
  }),
  /** The answers. Each reveal is audited with its reason. */
  revealHealth: endpoint({
    method: 'POST',
    path: `${path}/:id/health/reveal`,
    access: healthReaders,
    opens: 'student',
    isReveal: true,
    changes: ['student-record'],
    input: z.object({ id, reason }),
    output: z.object({ version: z.number(), answers }),
  }),
};
