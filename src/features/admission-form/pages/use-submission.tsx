import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { currentLink } from '#kit/browser/data/link.ts';
import { focusOn, type Problem } from '#kit/browser/form/ErrorSummary.tsx';
import { forgetAllLocally } from '#kit/browser/form/local-copy.ts';
import { translate } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { AppError } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';
import type { DraftPage } from '../contract/draft.ts';
import type { OpenInquiry } from '../contract/inquiry.ts';
import type { Gap } from '../contract/language.ts';
import type { useAnswers } from './CheckAnswers.tsx';
import { isStepOpen, lastStep, previousOpen } from './open-steps.ts';
import { Section, StepBar } from './StepPage.tsx';
import { useFormEnd } from './use-form-end.ts';

/** What both forms of the last page share: the question before sending, what stops it, and what follows. */
export function useSubmission(
  { correction, savedSteps }: OpenInquiry,
  { answers }: ReturnType<typeof useAnswers>,
  drafts: readonly DraftPage[],
) {
  const { t } = useLingui();
  const { leave, onRefused } = useFormEnd();
  const toast = useToast();
  const pageNames = {
    '/admission': msg`Step 1, Child`,
    '/admission1': msg`Step 2, Family`,
    '/admission2': msg`Step 3, Health`,
    '/admission3': msg`Step 4, Contacts`,
  };
  return {
    /** The earlier steps that are not saved. */
    further: (): Problem[] =>
      stepsBefore.flatMap(({ path, notFilledIn }, index) => {
        if (!isStepOpen(correction, index + 1)) return [];
        const isSaved = answers ? answers.isSaved[index] : savedSteps.includes(index + 1);
        const href = changeAddress(path);
        if (!isSaved) return [{ text: notFilledIn, href }];
        return answers?.unsaved[index]
          ? [{ text: msg`Your changes are not saved.`, group: pageNames[path], href }]
          : [];
      }),
    ask: (send: () => Promise<void>, onClose: () => void): ReactNode => (
      <AskDialog
        title={t`Submit the form?`}
        cancel={<Trans>Not yet</Trans>}
        confirm={<Trans>Yes, submit</Trans>}
        onClose={onClose}
        onConfirm={async (close) => {
          close();
          await send();
        }}
      >
        <Trans>
          After you submit, you cannot change your answers. The school will check them and write to you about the next
          step.
        </Trans>
      </AskDialog>
    ),
    elsewhere: (refused: AppError) => gapsElsewhere(refused, pageNames),
    onRefused,
    onDone: async ({ text }: { text?: Text | undefined }) => {
      if (text) toast({ kind: 'success', title: translate(text) });
      await forgetAllLocally('all');
      await leave();
    },
    buttons: (isSending: boolean): ReactNode => (
      <>
        <Section title={<Trans>Submit the form</Trans>}>
          <p className="plain">
            <Trans>
              After you submit, you cannot change your answers. The school will check them and write to you about the
              next step.
            </Trans>
          </p>
          <p className="plain">
            <Button type="submit" kind="main" isBusy={isSending}>
              <Trans>Submit Form</Trans>
            </Button>
          </p>
        </Section>
        <StepBar
          previous={previousOpen(correction, lastStep)}
          submit={<Trans>Check your answers</Trans>}
          onPress={() => focusOn('check')}
          isSending={isSending}
          drafts={drafts}
        />
      </>
    ),
  };
}

/** The address of another step, from which saving comes back here. */
const changeAddress = (path: string, field = '') =>
  `${path}?inquiryNo=${encodeURIComponent(currentLink())}&return=check${field && `#${field}`}`;

const stepsBefore = [
  {
    path: '/admission',
    notFilledIn: msg`Step 1, Child is not filled in yet`,
  },
  {
    path: '/admission1',
    notFilledIn: msg`Step 2, Family is not filled in yet`,
  },
  {
    path: '/admission2',
    notFilledIn: msg`Step 3, Health is not filled in yet`,
  },
  {
    path: '/admission3',
    notFilledIn: msg`Step 4, Contacts is not filled in yet`,
  },
] as const;

/** Missing answers on other pages, each a link to its page and field; saving there comes back, as with "Change" (B21). */
function gapsElsewhere({ data }: AppError, pageNames: Record<string, Text>): Problem[] {
  const gaps = (data?.gaps ?? []) as Gap[];
  return gaps
    .filter(({ page }) => page !== '/admission4')
    .map(({ page, field, label, message }) => ({
      text: message,
      label,
      group: pageNames[page],
      href: changeAddress(page, field),
    }));
}
