import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { sectionStudentApi } from '#features/student/contract/section-student.ts';
import { type Turn, turnApi } from '#features/student/contract/turn.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { type Preview, usePreview } from '#kit/browser/data/preview.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showNumber, type Text as Words } from '#kit/contract/text.ts';
import styles from './YearEnd.module.css';

/** The sums of a turn by grade; for an Admin the list of each grade, and until the year is closed the way back. */
export function TurnResult({ turn, isClosed }: { turn: Turn; isClosed: boolean }) {
  const { t } = useLingui();
  const { id, at, by, keeps, undoneAt, undoneBy, grades, isFinished } = turn;
  const mayUndo = useMay(turnApi.undo) && isFinished && !isClosed;
  const mayDownload = useMay(sectionStudentApi.promotionList);
  const undo = usePreview(turnApi.undo);
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const on = showMoment(at);
  const standing = grades.filter(({ isUndone }) => !isUndone);
  const notWritten = ({ roll, promoted, detained, reTest, leaving }: Turn['grades'][number]) =>
    roll - promoted - detained - reTest - leaving;
  const hasUnwritten = standing.some((grade) => notWritten(grade) > 0);
  return (
    <section aria-label={t`Promotion of ${on}`}>
      <Row gap={8} align="baseline" justify="between" wrap mt={16} mb={8}>
        <Text as="h2" size={16} weight={600}>
          {undoneAt ? (
            <Trans>
              Promoted on {on} by {by}, undone on {showMoment(undoneAt)} by {undoneBy}
            </Trans>
          ) : (
            <Trans>
              Promoted on {on} by {by}
            </Trans>
          )}{' '}
          <span className="soft">{translateOption(keeps)}</span>
        </Text>
        {mayUndo && standing.length > 1 && (
          <Button onClick={() => void undo.show({ id, gradeId: null, studentId: null, leaves: [] })}>
            <Trans>Undo all grades…</Trans>
          </Button>
        )}
      </Row>
      {problem}
      {!undo.shown && undo.problem}
      <CardTable
        caption={t`Result by grade`}
        heads={[
          ...[t`Grade`, t`Students`, t`Promoted`, t`Detained`, t`Re-test`, t`Leaving`],
          ...(hasUnwritten ? [t`Not written`] : []),
          t`Without a section`,
        ]}
        rows={grades.map((grade) => ({
          key: grade.promotionId,
          cells: [
            grade.name,
            ...[grade.roll, grade.promoted, grade.detained, grade.reTest, grade.leaving].map(showNumber),
            ...(hasUnwritten ? [showNumber(notWritten(grade))] : []),
            showNumber(grade.unseated),
          ],
          actions: grade.isUndone ? (
            <span className="soft">
              <Trans>Undone</Trans>
            </span>
          ) : (
            <Row gap={4} justify="end">
              {mayDownload && isFinished && (
                <Button
                  kind="quiet"
                  onClick={() =>
                    void attempt(() =>
                      download(sectionStudentApi.promotionList, { id: grade.promotionId }, 'promotion-list.pdf'),
                    )
                  }
                >
                  <Trans>
                    PDF<VisuallyHidden> of {grade.name}</VisuallyHidden>
                  </Trans>
                </Button>
              )}
              {mayUndo && (
                <Button
                  kind="quiet"
                  onClick={() => void undo.show({ id, gradeId: grade.gradeId, studentId: null, leaves: [] })}
                >
                  <Trans>
                    Undo…<VisuallyHidden> {grade.name}</VisuallyHidden>
                  </Trans>
                </Button>
              )}
            </Row>
          ),
        }))}
      />
      <UndoTurn key={undo.shown ? 'shown' : ''} preview={undo} />
    </section>
  );
}

/** What ends with a child’s promotion, after what keeps it from being undone; '' where nothing does. */
const endingOf = ({ blocks, also }: Record<'blocks' | 'also', readonly Words[]>) =>
  blocks.length + also.length === 0 ? (
    ''
  ) : (
    <>
      {blocks.length > 0 && <b>{blocks.map(translate).join(', ')}</b>} {also.map(translate).join(', ')}
    </>
  );

/** What an undone turn gives back, child by child; who has a receipt or a mark may be left as they are. */
export function UndoTurn({ preview }: { preview: Preview<typeof turnApi.undo> }) {
  const { t } = useLingui();
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const { children = [], left = [], also = [], blocks = [] } = preview.shown?.answer ?? {};
  const input = preview.shown?.input;
  const blocked = children.filter((child) => child.blocks.length > 0);
  const hasEnding = children.some((child) => child.blocks.length + child.also.length > 0);
  const leave = async () => {
    if (!input) return;
    setAsking(true);
    await preview.show({ ...input, leaves: [...(input.leaves ?? []), ...blocked.map(({ id }) => id)] });
    setAsking(false);
  };
  return (
    <PreviewDialog
      preview={preview}
      title={blocks.length > 0 ? t`Some students can’t be undone` : t`Undo the promotion`}
      confirm={<Trans>Undo the promotion</Trans>}
      details={
        <>
          {also.map((words) => (
            <p key={translate(words)}>{translate(words)}</p>
          ))}
          {blocked.length > 0 && (
            <Button isBusy={isAsking} onClick={() => void leave()}>
              <Plural value={blocked.length} one="Leave # student as it is" other="Leave # students as they are" />
            </Button>
          )}
          {left.length > 0 && (
            <p>
              <Trans>These remain, and are moved by hand: {left.join(', ')}</Trans>
            </p>
          )}
          <div className={styles.undone}>
            <CardTable
              caption={t`Students`}
              heads={[t`Name`, t`Grade`, t`Result`, ...(hasEnding ? [t`What ends`] : [])]}
              rows={[...blocked, ...children.filter((child) => !blocked.includes(child))].map((child) => ({
                key: child.id,
                cells: [
                  child.name,
                  child.grade,
                  translateOption(child.result),
                  ...(hasEnding ? [endingOf(child)] : []),
                ],
              }))}
            />
          </div>
        </>
      }
      onApplied={() => toast({ kind: 'success', title: t`The promotion was undone.` })}
    >
      {blocks.length > 0 ? (
        <Trans>A receipt, a mark or a certificate of the new year keeps these students there.</Trans>
      ) : (
        <Plural
          value={children.length}
          one="# student becomes undecided and is removed from the new year."
          other="# students become undecided and are removed from the new year."
        />
      )}
    </PreviewDialog>
  );
}
