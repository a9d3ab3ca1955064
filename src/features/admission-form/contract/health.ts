import * as z from 'zod/mini';
import { healthQuestions } from '#features/student/contract/health-questions.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, optionalFreeText, rule, yesNo } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { pictureTooLarge } from './basic-info.ts';
import { envelope, formKeys, noInput, path, stamps } from './form.ts';

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
