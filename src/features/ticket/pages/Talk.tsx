import { Trans } from '@lingui/react/macro';
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs';
import type { ReactNode } from 'react';
import { Initials } from '#kit/browser/ui/Initials.tsx';
import { List, Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import type { TicketRecord } from '../contract/ticket.ts';
import styles from './Talk.module.css';

/** What was said about a ticket, oldest first: messages, internal notes on a wash, and who got it as a soft line. */
export function Talk({ record }: { record: TicketRecord }) {
  const { id, talk, description, files, raisedBy, raisedAt, isMine } = record;
  return (
    <List as="ol" className={styles.talk}>
      <Said by={raisedBy?.name ?? ''} isOwn={isMine} at={raisedAt}>
        <Text breaks="pre-line">{description}</Text>
        <FileLinks id={id} files={files} />
      </Said>
      {talk.map(({ key, kind, by, isOwn, at, body, to, files: own }) =>
        kind === 'Transfer' ? (
          <Row as="li" gap={12} align="start" tone="soft" size={13} key={key}>
            <IconArrowRight size={16} aria-hidden />
            <span>
              <Trans>
                {by} passed it to {to}
              </Trans>{' '}
              · {showMoment(at)}
              {body && <Text breaks="pre-line">{body}</Text>}
            </span>
          </Row>
        ) : (
          <Said key={key} by={by} isOwn={isOwn} at={at} isInternal={kind === 'Internal'}>
            <Text breaks="pre-line">{body}</Text>
            <FileLinks id={id} files={own} />
          </Said>
        ),
      )}
    </List>
  );
}

interface SaidProps {
  by: string;
  isOwn: boolean;
  at: string;
  isInternal?: boolean;
  children: ReactNode;
}

const Said = ({ by, isOwn, at, isInternal, children }: SaidProps) => (
  <Row as="li" gap={12} align="start">
    <Initials name={by} />
    <Stack gap={2} grow className={styles.said} data-internal={isInternal || undefined}>
      <Row as="p" gap="0 8" align="baseline" wrap>
        <strong>{isOwn ? <Trans>You</Trans> : by}</strong>
        <Text as="span" tone="soft" size={13}>
          {isInternal && (
            <>
              <Trans>internal note</Trans> ·{' '}
            </>
          )}
          {showMoment(at)}
        </Text>
      </Row>
      {children}
    </Stack>
  </Row>
);

function FileLinks({ id, files }: { id: number; files: TicketRecord['files'] }) {
  if (files.length === 0) return null;
  return (
    <Row as="ul" gap={8} wrap mt={4} className={styles.files}>
      {files.map((file) => (
        <li key={file.id}>
          <a href={`/api/ticket/${id}/file/${file.id}`} target="_blank" rel="noreferrer">
            {file.name}
          </a>
        </li>
      ))}
    </Row>
  );
}
