import { Trans, useLingui } from '@lingui/react/macro';
import IconPaperclip from '@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs';
import { useState } from 'react';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Segments } from '#kit/browser/ui/Segments.tsx';
import { text } from '#kit/contract/text.ts';
import { fileNames, type TicketRecord, ticketApi } from '../contract/ticket.ts';
import { CannedReply } from './CannedReply.tsx';
import styles from './ReplyBox.module.css';

export type Kind = 'Public' | 'Internal';

interface Props {
  record: TicketRecord;
  kind: Kind;
  onKind: (kind: Kind) => void;
  /** Whether nothing else of the page comes first. */
  isNext: boolean;
}

/** The box below a conversation: a reply, or a note for those who work on the ticket. What is typed serves for both. */
export function ReplyBox({ record, kind, onKind, isNext }: Props) {
  const { id, may, raisedBy, isMine, assignee, department } = record;
  const { t } = useLingui();
  const [sent, setSent] = useState(0);
  const [addsFile, setAddsFile] = useState(false);
  const other = isMine ? (assignee?.name ?? department) : (raisedBy?.name ?? '');
  return (
    <ApiForm
      key={sent}
      endpoint={ticketApi.comment}
      initial={{ body: '' }}
      hiddenValues={{ id, kind }}
      isShort
      className={styles.box}
      onDone={() => {
        setSent(sent + 1);
        setAddsFile(false);
      }}
      buttons={(isSending) => (
        <Row gap="8 12" align="center" wrap>
          {may.reply && may.note && (
            <Segments
              label={t`Kind`}
              value={kind}
              options={[
                { value: 'Public', label: t`To ${other}` },
                { value: 'Internal', label: t`Internal note` },
              ]}
              onChange={onKind}
            />
          )}
          {!addsFile && (
            <IconButton label={t`Add a file`} onClick={() => setAddsFile(true)}>
              <IconPaperclip size={18} aria-hidden />
            </IconButton>
          )}
          {kind === 'Public' && may.note && <CannedReply name="body" isInRow />}
          <Button
            kind={isNext ? 'main' : 'plain'}
            type="submit"
            isBusy={isSending}
            aria-keyshortcuts="Control+Enter"
            className={styles.send}
          >
            <Trans>Send</Trans> <kbd data-key={t`Ctrl Enter`} />
          </Button>
        </Row>
      )}
    >
      <TextField
        name="body"
        long
        label={kind === 'Internal' ? text`Internal note` : text`Reply`}
        hint={kind === 'Internal' ? t`The person who raised the ticket does not see it.` : undefined}
        takesFocus={sent > 0}
      />
      {addsFile && <Files />}
    </ApiForm>
  );
}

/** The chosen files, and a place for one more. */
function Files() {
  const { files } = useApiForm();
  const chosen = fileNames.filter((name) => files[name]).length;
  return fileNames.slice(0, chosen + 1).map((name) => <UploadField key={name} name={name} />);
}
