import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { configuration } from '#features/school/ui/configuration.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import type { Text } from '#kit/contract/text.ts';
import { newLinkApi } from '../contract/new-link.ts';
import { SchoolPage } from './SchoolPage.tsx';
import { SchoolPhone } from './SchoolPhone.tsx';

/** One and the same page for a link that is missing, altered, expired or revoked: it never says which (A48). */
export function LinkProblemPage() {
  const { t } = useLingui();
  const [answer, setAnswer] = useState<Text>();
  const { schoolEmail } = configuration();
  return (
    <SchoolPage title={t`Admission Form`}>
      <h1 tabIndex={-1}>
        <Trans>This link no longer works</Trans>
      </h1>
      <div className="lead">
        <p>
          <Trans>It may be too old or not complete. Your answers are kept.</Trans>
        </p>
        {!answer && (
          <p>
            <Trans>Open the latest message from the school, or get a new link here.</Trans>
          </p>
        )}
      </div>
      {answer ? (
        <>
          <Notice kind="good" role="status">
            {translate(answer)}
          </Notice>
          <p className="plain">
            <Trans>Not there after 10 minutes? Check your spam folder, or call the school.</Trans>
          </p>
        </>
      ) : (
        <ApiForm
          endpoint={newLinkApi.newLink}
          initial={{ contact: '' }}
          onDone={({ text }) => setAnswer(text)}
          className="section"
          buttons={(isSending) => (
            <Button type="submit" kind="main" isBusy={isSending}>
              <Trans>Get a new link</Trans>
            </Button>
          )}
        >
          <TextField
            name="contact"
            hint={<Trans>Enter the mobile number or email address you gave the school.</Trans>}
          />
        </ApiForm>
      )}
      {schoolEmail && (
        <p className="help">
          <Trans>
            You can also write to <a href={`mailto:${schoolEmail}`}>{schoolEmail}</a> or call <SchoolPhone />.
          </Trans>
        </p>
      )}
    </SchoolPage>
  );
}
