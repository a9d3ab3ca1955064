import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { healthQuestions, type Question } from '#features/student/contract/health-questions.ts';
import { get } from '#kit/browser/data/get.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { YesNoField } from '#kit/browser/form/choices.tsx';
import type { Problem } from '#kit/browser/form/ErrorSummary.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm, type Values } from '#kit/browser/form/form-context.ts';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { translate } from '#kit/browser/text.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { educationApi } from '../contract/education.ts';
import { formKeys } from '../contract/form.ts';
import { type Health, healthApi, healthDraft, vaccinationCardRequired } from '../contract/health.ts';
import { siblingApi } from '../contract/sibling.ts';
import { LockedFacts } from '../ui/LockedFacts.tsx';
import { openPageDraft } from './drafts.ts';
import { EducationHistory, type TypedSchool } from './EducationHistory.tsx';
import { useFieldNotes } from './field-notes.tsx';
import { fileAddress } from './file-address.ts';
import { formIdentity } from './form-values.ts';
import { getOpenInquiry } from './inquiry-state.ts';
import { previousOpen } from './open-steps.ts';
import { usePageData } from './page-data.ts';
import { Section, StepBar, StepPage } from './StepPage.tsx';
import { TellSchool } from './TellSchool.tsx';
import { useFormEnd } from './use-form-end.ts';

const draftsHere = ['health', 'education-history'] as const;

export async function load() {
  const [inquiry, answer, education, siblings, draft, educationDraft] = await Promise.all([
    getOpenInquiry(),
    get(healthApi.get, {}),
    get(educationApi.list, {}),
    get(siblingApi.get, {}),
    openPageDraft('health'),
    openPageDraft('education-history'),
  ]);
  return {
    inquiry,
    saved: answer.data.lstStudentAdmissionChildHealthDetailsModel[0],
    rowVersion: answer.data.rowVersion,
    education: education.data.lstStudentAdmissionChildEducationHistoryModel,
    draft,
    educationDraft,
    siblings: siblings.data.lstStudentAdmissionSiblingDetailsModel.map(({ siblingName }) => siblingName).join(', '),
  };
}

const cardField = 'VaccinationFileIFormFile';

export function Page() {
  const { t } = useLingui();
  const { inquiry, saved, rowVersion, education, siblings, draft, educationDraft } = usePageData<typeof load>();
  const { goTo, onRefused } = useFormEnd();
  const notes = useFieldNotes(inquiry.correction, 3);
  const [typed, setTyped] = useState<TypedSchool>();
  const needsFiles = (values: Values, files: Record<string, File>): FieldErrors =>
    values.isVaccinated === true && !saved?.vaccinationCardFilePath && !files[cardField]
      ? { [cardField]: vaccinationCardRequired }
      : {};
  const toastsFor = (errors: FieldErrors) => (errors[cardField] ? [{ title: translate(errors[cardField]) }] : []);
  return (
    <StepPage step={3} inquiry={inquiry} drafts={[draft, educationDraft]}>
      <Section title={<Trans>Brothers and sisters at this school</Trans>}>
        <LockedFacts
          facts={[{ label: t`Sibling Name`, value: siblings || t`None recorded` }]}
          source={<Trans>From the school’s records</Trans>}
          line={siblings || t`None recorded`}
        >
          <TellSchool about="Sibling Name" />
        </LockedFacts>
      </Section>
      <EducationHistory inquiry={inquiry} initial={education} draft={educationDraft} notes={notes} onTyped={setTyped} />
      <ApiForm
        endpoint={healthApi.save}
        initial={initialValues(saved)}
        hiddenValues={formIdentity(inquiry, rowVersion)}
        notes={notes}
        needsFiles={needsFiles}
        isOutdated={async () => (await get(healthApi.get, {})).data.rowVersion !== rowVersion}
        toastsFor={toastsFor}
        further={() => (typed ? [notAdded(typed)] : [])}
        validatesOnLeave="filled"
        draft={draft}
        onRefused={onRefused}
        onDone={() => goTo('/admission3')}
        buttons={(isSending, isChanged) => (
          <StepBar
            previous={previousOpen(inquiry.correction, 3)}
            submit={<Trans>Save and Next</Trans>}
            isSending={isSending}
            drafts={draftsHere}
            status={saved && !isChanged && <Trans>Saved</Trans>}
          />
        )}
      >
        <Section title={<Trans>Your child</Trans>}>
          <TextField
            name="childPersonalityAndHomeRoutine"
            long
            hint={<Trans>Describe your child and a usual day at home.</Trans>}
          />
        </Section>
        <Section
          title={<Trans>Health</Trans>}
          help={
            <Trans>
              These answers do not affect admission. Only the head of admissions and the school nurse see them, to keep
              your child safe.
            </Trans>
          }
        >
          {healthQuestions.map((question) => (
            <HealthQuestion key={question.name} question={question} card={saved?.vaccinationCardFilePath} />
          ))}
        </Section>
        <Section title={<Trans>Screens and games</Trans>}>
          <TextField
            name="dailyElectronicDevicesUsageTime"
            width="medium"
            hint={<Trans>For example “half an hour”</Trans>}
          />
          <TextField name="programsWatchedOrGamesPlayedName" long />
        </Section>
      </ApiForm>
    </StepPage>
  );
}

/** A school that was typed but not added would be lost. */
const notAdded = ({ add, clear }: TypedSchool): Problem => ({
  text: msg`You typed a school but did not add it.`,
  field: 'fromGrade',
  actions: [
    { label: msg`Add`, act: add },
    { label: msg`Clear`, act: clear },
  ],
});

/** A question and the boxes its Yes opens; until the page is saved, a No only hides their text. */
function HealthQuestion({ question, card }: { question: Question; card: string | null | undefined }) {
  const { name, opens } = question;
  const saidYes = useApiForm().values[name] === true;
  return (
    <>
      <YesNoField name={name} />
      {saidYes &&
        opens.map((box) => (
          <TextField key={box.name} name={box.name} hint={box.hint && translate(box.hint)} required long />
        ))}
      {saidYes && name === 'isVaccinated' && (
        <UploadField
          name={cardField}
          hint={<Trans>PNG or JPG, at most 2 MB.</Trans>}
          stored={card ? fileAddress(card) : undefined}
        />
      )}
    </>
  );
}

function initialValues(saved: Health | undefined): Values {
  const names = Object.keys(healthDraft.shape).filter((name) => !(name in formKeys));
  const questions: string[] = healthQuestions.map(({ name }) => name);
  return Object.fromEntries(
    names.map((name) => [name, saved?.[name as keyof Health] ?? (questions.includes(name) ? null : '')]),
  );
}
