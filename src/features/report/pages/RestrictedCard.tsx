import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { CardContent } from '#kit/browser/record/CardContent.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { CardLink } from '#kit/browser/record/ServedCards.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { CardAnswer } from '#kit/contract/served-card.ts';
import type { ReportApi } from '../contract/report.ts';

interface Props {
  endpoint: ReportApi['open'];
  id: number;
  cardKey: string;
  title: string;
  period: { from: string; to: string };
}

/** A card that is closed until the reader says why it is read. The reason is not remembered. */
export function RestrictedCard({ endpoint, id, cardKey, title, period }: Props) {
  const { t } = useLingui();
  const [answer, setAnswer] = useState<CardAnswer>();
  return (
    <RecordCard
      isWide={Boolean(answer?.table)}
      title={title}
      actions={
        answer ? (
          <>
            <CardLink title={title} to={answer.to} />
            <Button kind="quiet" onClick={() => setAnswer(undefined)}>
              <Trans>Hide</Trans>
            </Button>
          </>
        ) : (
          <FormOpener title={t`Open ${title}`} label={<Trans>Open…</Trans>}>
            {(onClose) => (
              <RecordForm
                title={t`Open ${title}`}
                endpoint={endpoint}
                initial={{ reason: '' }}
                hiddenValues={{ id, key: cardKey, ...period }}
                words={<Trans>Open</Trans>}
                saved={null}
                onDone={setAnswer}
                onClose={onClose}
              >
                <TextField name="reason" hint={<Trans>The audit log keeps your name and the reason.</Trans>} />
              </RecordForm>
            )}
          </FormOpener>
        )
      }
    >
      {answer ? (
        <CardContent title={title} answer={answer} />
      ) : (
        <p className="soft">
          <Trans>Opened with a reason, which the audit log keeps.</Trans>
        </p>
      )}
    </RecordCard>
  );
}
