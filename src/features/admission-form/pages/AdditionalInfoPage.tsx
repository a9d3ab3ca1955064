import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { schoolWords } from '#features/school/ui/configuration.ts';
import { get } from '#kit/browser/data/get.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TickField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm, type Values } from '#kit/browser/form/form-context.ts';
import { useLanguage } from '#kit/browser/language.tsx';
import { translate } from '#kit/browser/text.ts';
import { normalMobile } from '#kit/contract/fields.ts';
import type { Text } from '#kit/contract/text.ts';
import { type AdditionalInfo, additionalInfoApi, additionalInfoDraft } from '../contract/additional-info.ts';
import { formKeys } from '../contract/form.ts';
import { absentParents, parentInfoApi } from '../contract/parent-info.ts';
import { openPageDraft } from './drafts.ts';
import { useFieldNotes } from './field-notes.tsx';
import { formIdentity } from './form-values.ts';
import { getOpenInquiry } from './inquiry-state.ts';
import { previousOpen } from './open-steps.ts';
import { usePageData } from './page-data.ts';
import { Section, StepBar, StepPage } from './StepPage.tsx';
import { useFormEnd } from './use-form-end.ts';
import { oddMobile } from './warnings.ts';

const draftsHere = ['additional-info'] as const;

export async function load() {
  const [inquiry, answer, family, draft] = await Promise.all([
    getOpenInquiry(),
    get(additionalInfoApi.get, {}),
    get(parentInfoApi.get, {}),
    openPageDraft('additional-info'),
  ]);
  const [saved] = answer.data.lstStudentAdmissionAdditionalInfoModel;
  const [parents] = family.data.lstStudentAdmissionParentInfo;
  return { inquiry, saved, parents, rowVersion: answer.data.rowVersion, draft };
}

const relationships = ['Grandfather', 'Grandmother', 'Uncle', 'Aunt', 'Neighbour', 'Family friend'];

export function Page() {
  const { inquiry, saved, parents, rowVersion, draft } = usePageData<typeof load>();
  const { goTo, onRefused } = useFormEnd();
  const notes = useFieldNotes(inquiry.correction, 4);
  const detailsNotApplicable = [...inquiry.detailsNotApplicable, ...absentParents(parents)];
  const { hospitalText } = schoolWords(useLanguage());
  const asked = (who: 'father' | 'mother') => !detailsNotApplicable.includes(who);
  const numbers = {
    father: inquiry.fatherMobileNo || parents?.fatherMobileNo,
    mother: inquiry.motherMobileNo || parents?.motherMobileNo,
  };
  return (
    <StepPage step={4} inquiry={inquiry} drafts={[draft]}>
      <ApiForm
        endpoint={additionalInfoApi.save}
        initial={initialValues(saved)}
        hiddenValues={{ ...formIdentity(inquiry, rowVersion), detailsNotApplicable }}
        notes={notes}
        validatesOnLeave="filled"
        draft={draft}
        onRefused={onRefused}
        onDone={() => goTo('/admission4')}
        buttons={(isSending, isChanged) => (
          <StepBar
            previous={previousOpen(inquiry.correction, 4)}
            submit={<Trans>Save and Next</Trans>}
            isSending={isSending}
            drafts={draftsHere}
            status={saved && !isChanged && <Trans>Saved</Trans>}
          />
        )}
      >
        <Contact number={1} title={msg`Emergency contact 1`} numbers={numbers} />
        <Contact number={2} title={msg`Emergency contact 2`} numbers={numbers} />
        <Section title={<Trans>Medical emergency</Trans>}>
          <p id="hospital" className="plain">
            {hospitalText}
          </p>
          <TickField
            name="isMedicalEmergencyAuthorized"
            required
            describedBy="hospital"
            label={msg`I allow the school to have my child treated at the nearest hospital in a medical emergency (optional).`}
          />
        </Section>
        {(asked('father') || asked('mother')) && (
          <Section
            title={<Trans>Time with your child</Trans>}
            help={<Trans>How much time do you each spend with your child, and what do you do together?</Trans>}
            name={msg`Time with your child`}
          >
            {asked('father') && <TextField name="timeSpentWithChildFather" required long />}
            {asked('mother') && <TextField name="timeSpentWithChildMother" required long />}
          </Section>
        )}
        <Section title={<Trans>Parenting and this school</Trans>}>
          <TextField name="parentingBeliefAndPhilosophy" long />
          <TextField name="reasonsForAdmission" long />
        </Section>
      </ApiForm>
    </StepPage>
  );
}

interface ContactProps {
  number: 1 | 2;
  title: Text;
  numbers: Record<'father' | 'mother', string | null | undefined>;
}

function Contact({ number, title, numbers }: ContactProps) {
  const { t } = useLingui();
  const { values } = useApiForm();
  const other = normalMobile(String(values[`emergencyContact${number === 1 ? 2 : 1}MobileNo`] ?? ''));
  const odd = oddMobile(t`Indian mobile numbers start with 6, 7, 8 or 9. Check this one.`);
  const warn = (typed: string) => {
    const mobile = normalMobile(typed);
    if (mobile.length !== 10) return undefined;
    if (mobile === numbers.father) return t`Another person has this number. Give a different one.`;
    if (mobile === numbers.mother) return t`Another person has this number. Give a different one.`;
    if (mobile === other) return t`Another person has this number. Give a different one.`;
    return odd(typed);
  };
  const prefix = `emergencyContact${number}`;
  const common = { owner: `${translate(title)}:`, width: 'medium' } as const;
  return (
    <Section
      title={translate(title)}
      name={title}
      help={number === 1 ? <Trans>A person we can call when we cannot reach you.</Trans> : undefined}
    >
      <div className="side-by-side">
        <TextField name={`${prefix}FirstName`} {...common} />
        <TextField name={`${prefix}LastName`} {...common} />
      </div>
      <TextField name={`${prefix}MobileNo`} type="tel" inputMode="tel" hint={t`10 digits`} warn={warn} {...common} />
      <TextField name={`${prefix}Relationship`} suggestions={relationships} {...common} />
    </Section>
  );
}

function initialValues(saved: AdditionalInfo | undefined): Values {
  const names = Object.keys(additionalInfoDraft.shape).filter(
    (name) => !(name in formKeys) && name !== 'detailsNotApplicable',
  );
  const isTick = (name: string) => name === 'isMedicalEmergencyAuthorized';
  return Object.fromEntries(
    names.map((name) => [name, saved?.[name as keyof AdditionalInfo] ?? (isTick(name) ? false : '')]),
  );
}
