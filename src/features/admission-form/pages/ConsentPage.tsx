import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { configuration, schoolWords } from '#features/school/ui/configuration.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { RadioField, TickField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useLanguage } from '#kit/browser/language.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { consentApi, consentRelations, noticeVersions } from '../contract/consent.ts';
import type { OpenInquiry } from '../contract/inquiry.ts';
import { Notice } from './ConsentNotice.tsx';
import { formIdentity } from './form-values.ts';
import { SchoolPage } from './SchoolPage.tsx';
import { SchoolPhone } from './SchoolPhone.tsx';
import { Section } from './StepPage.tsx';
import { useFormEnd } from './use-form-end.ts';
import './consent-texts.ts';

/** Shown in place of the form until a parent has agreed to the notice. */
export function ConsentPage({ inquiry }: { inquiry: OpenInquiry }) {
  const { t } = useLingui();
  const { leave, onRefused } = useFormEnd();
  const language = useLanguage();
  const [isDeclined, setDeclined] = useState(false);
  if (isDeclined) return <Declined onBack={() => setDeclined(false)} />;
  return (
    <SchoolPage title={t`Admission Form ${inquiry.academicYear}`}>
      <h1 tabIndex={-1}>
        <Trans>Before you begin</Trans>
      </h1>
      <p className="lead">
        <Trans>Please read how the school uses your answers. It takes two minutes.</Trans>
      </p>
      <Notice />
      <ApiForm
        endpoint={consentApi.give}
        initial={{ consentName: '', consentRelation: '', isParentOrGuardian: false, isAgreed: false }}
        hiddenValues={{ ...formIdentity(inquiry, null), noticeVersion: noticeVersions[language], language }}
        onRefused={onRefused}
        onDone={leave}
        buttons={(isSending) => (
          <div className="summary-buttons">
            <Button type="submit" kind="main" isBusy={isSending}>
              <Trans>Agree and open the form</Trans>
            </Button>
            <Button onClick={() => setDeclined(true)}>
              <Trans>I do not agree</Trans>
            </Button>
          </div>
        )}
      >
        <Section title={<Trans>Your consent</Trans>}>
          <TextField name="consentName" autoComplete="name" width="medium" />
          <RadioField name="consentRelation" options={consentRelations} />
          <TickField name="isParentOrGuardian" required />
          <TickField
            name="isAgreed"
            required
            label={msg`I agree that the school may use my answers for this application, as the notice says`}
          />
        </Section>
      </ApiForm>
    </SchoolPage>
  );
}

function Declined({ onBack }: { onBack: () => void }) {
  const { t } = useLingui();
  const { schoolPhone, schoolEmail } = configuration();
  const { officeHours } = schoolWords(useLanguage());
  return (
    <SchoolPage title={t`Admission Form`}>
      <h1 tabIndex={-1}>
        <Trans>You can apply on paper</Trans>
      </h1>
      <div className="lead">
        <p>
          <Trans>Nothing was saved. The school office will give you a paper form and help you fill it in.</Trans>
        </p>
        {schoolPhone && (
          <p>
            <Trans>
              Call <SchoolPhone /> ({officeHours}) or write to <a href={`mailto:${schoolEmail}`}>{schoolEmail}</a>.
            </Trans>
          </p>
        )}
      </div>
      <Button onClick={onBack}>
        <Trans>Read the notice again</Trans>
      </Button>
    </SchoolPage>
  );
}
