import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { List, Row, Text } from '#kit/browser/ui/Layout.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import type { FamilyMessage } from '../contract/family-message.ts';
import { reviewApi } from '../contract/review.ts';
import styles from './review/ReviewPage.module.css';

interface Props {
  record: { id: number; messages: FamilyMessage[] };
  mayReply: boolean;
}

/** What the family wrote, to be answered by email or marked as read after a call. */
export function FamilyMessages({ record: { id, messages }, mayReply }: Props) {
  const { t } = useLingui();
  const markRead = useAction(reviewApi.markRead);
  return (
    <RecordCard title={<Trans>Messages of the family</Trans>}>
      {markRead.problem}
      <List as="ol" mb={12} className={styles.list}>
        {messages.map((message) => (
          <li key={message.id}>
            <p className="soft">
              {[showMoment(message.at), message.about].join(' · ')}{' '}
              {!message.isRead && (
                <Chip kind="accent">
                  <Trans>New</Trans>
                </Chip>
              )}
            </p>
            <Text breaks="pre-line">{message.words}</Text>
            {message.reply && (
              <>
                <p className="soft">
                  {[message.repliedAt && showMoment(message.repliedAt), message.repliedBy].filter(Boolean).join(' · ')}
                </p>
                <Text breaks="pre-line">{message.reply}</Text>
              </>
            )}
            {mayReply && !message.reply && (
              <Row gap={8} align="center" wrap>
                {!message.isRead && (
                  <Button
                    kind="quiet"
                    edge="start"
                    aria-label={t`Mark as read: ${message.about}`}
                    onClick={() => void markRead.run({ id, message: message.id })}
                  >
                    <Trans>Mark as read</Trans>
                  </Button>
                )}
                <FormOpener title={t`Reply to the message about ${message.about}`} label={<Trans>Reply…</Trans>}>
                  {(onClose) => (
                    <RecordForm
                      title={t`Reply to the message about ${message.about}`}
                      endpoint={reviewApi.reply}
                      initial={{ words: '' }}
                      hiddenValues={{ id, message: message.id }}
                      words={<Trans>Send</Trans>}
                      saved={null}
                      onClose={onClose}
                    >
                      <TextField name="words" long hint={<Trans>Sent by email to the parents.</Trans>} />
                    </RecordForm>
                  )}
                </FormOpener>
              </Row>
            )}
          </li>
        ))}
      </List>
    </RecordCard>
  );
}
