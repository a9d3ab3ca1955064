import { useLingui } from '@lingui/react/macro';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { correctionApi } from '../contract/correction.ts';
import type { OpenInquiry } from '../contract/inquiry.ts';
import { CheckAnswers, useAnswers } from './CheckAnswers.tsx';
import { formIdentity } from './form-values.ts';
import { StepPage } from './StepPage.tsx';
import { useSubmission } from './use-submission.tsx';

const noDrafts = [] as const;

/** The last page of a correction that leaves documents and languages as they were submitted. */
export function CorrectionForm({ inquiry }: { inquiry: OpenInquiry }) {
  const { t } = useLingui();
  const read = useAnswers(inquiry.correction);
  const submission = useSubmission(inquiry, read, noDrafts);
  return (
    <StepPage step={5} heading={t`Submit the correction`} inquiry={inquiry}>
      <ApiForm
        endpoint={correctionApi.resubmit}
        initial={{}}
        hiddenValues={formIdentity(inquiry, null)}
        {...submission}
      >
        <CheckAnswers inquiry={inquiry} read={read} />
      </ApiForm>
    </StepPage>
  );
}
