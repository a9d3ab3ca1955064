import { Trans, useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { ExportMenu } from '#kit/browser/list/ExportMenu.tsx';
import { useDragging } from '#kit/browser/list/use-dragging.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { List, Row, Text } from '#kit/browser/ui/Layout.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { exportApi } from '../../contract/export.ts';
import { type WaitingList, waitingApi } from '../../contract/waiting-list.ts';
import styles from './WaitingOrder.module.css';

interface Props {
  seatId: number;
  name: string;
  mayRank: boolean;
  onClose: () => void;
}

/** The waiting list of a seat row, put in order by dragging or Alt with an arrow key, and saved with a reason. */
export function WaitingOrder({ seatId, name, mayRank, onClose }: Props) {
  const { t } = useLingui();
  const list = useRead(waitingApi.read, { seatId: String(seatId) });
  return (
    <SideDialog title={t`Waiting list: ${name}`} onClose={onClose}>
      {(close) => (
        <QueryBoundary query={list}>
          {(found) => (
            <Order key={found.rows.map(({ id }) => id).join()} list={found} mayRank={mayRank} close={close} />
          )}
        </QueryBoundary>
      )}
    </SideDialog>
  );
}

function Order({ list, mayRank, close }: { list: WaitingList; mayRank: boolean; close: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const [rows, setRows] = useState(list.rows);
  const place = (id: number) => rows.findIndex((row) => row.id === id);
  const moveTo = (from: number, to: number) => {
    const moved = rows[from];
    if (!moved || to < 0 || to >= rows.length) return;
    const others = rows.filter((row) => row !== moved);
    setRows([...others.slice(0, to), moved, ...others.slice(to)]);
  };
  const { inOrder, draggingOf } = useDragging(
    rows,
    mayRank ? (row, to) => moveTo(place(row.id), place(to)) : undefined,
  );
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || step === 0) return;
    event.preventDefault();
    moveTo(at, at + step);
  };
  const isChanged = rows.some(({ id }, at) => id !== list.rows[at]?.id);
  return (
    <>
      {mayRank && (
        <p className="soft">
          <Trans>Drag a child, or press Alt with an arrow key on its buttons. Then save with a reason.</Trans>
        </p>
      )}
      <List as="ol" mb={16} className={styles.order}>
        {inOrder.map((row, at) => (
          <Row
            py={6}
            line="below"
            as="li"
            gap={8}
            align="center"
            justify="between"
            key={row.id}
            {...draggingOf(row, row.child)}
          >
            <Text as="span" grow>
              <strong>{row.child}</strong>{' '}
              <span className="soft">{[row.inquiryNo, translateOption(row.quota)].join(' · ')}</span>
            </Text>
            {mayRank && (
              <Row as="span" fixed>
                <Button
                  kind="quiet"
                  disabled={at === 0}
                  onClick={() => moveTo(at, at - 1)}
                  onKeyDown={(event) => onKeyDown(event, at)}
                >
                  <span aria-hidden>↑</span>
                  <VisuallyHidden>{t`Move ${row.child} up`}</VisuallyHidden>
                </Button>
                <Button
                  kind="quiet"
                  disabled={at === rows.length - 1}
                  onClick={() => moveTo(at, at + 1)}
                  onKeyDown={(event) => onKeyDown(event, at)}
                >
                  <span aria-hidden>↓</span>
                  <VisuallyHidden>{t`Move ${row.child} down`}</VisuallyHidden>
                </Button>
              </Row>
            )}
          </Row>
        ))}
      </List>
      <ExportMenu
        words={<Trans>Export</Trans>}
        onExport={(as) =>
          void attempt(() => download(exportApi.waiting, { seatId: String(list.seatId), as }, `waiting-list.${as}`))
        }
      />
      {problem}
      {isChanged && (
        <ApiForm
          endpoint={waitingApi.rank}
          label={t`Order of the waiting list`}
          initial={{ reason: '' }}
          hiddenValues={{ seatId: list.seatId, ids: rows.map(({ id }) => id) }}
          onDone={() => {
            toast({ kind: 'success', title: t`Saved.`, of: t`Order of the waiting list` });
            close();
          }}
          buttons={(isSending) => (
            <FormButtons isSending={isSending} close={close} words={<Trans>Save the order</Trans>} />
          )}
        >
          <TextField name="reason" />
        </ApiForm>
      )}
    </>
  );
}
