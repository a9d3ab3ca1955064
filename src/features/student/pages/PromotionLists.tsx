import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { type Preview, usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { sectionStudentApi } from '../contract/section-student.ts';
import type { GradeOfYear } from './grade-of-year.ts';
import { TextLines } from './TextLines.tsx';

/** The promotions of a grade with their lists; nothing where there are none. */
export function PromotionLists({ at }: { at: GradeOfYear }) {
  const query = useReadList(sectionStudentApi.promotions, at);
  return (
    <QueryBoundary query={query}>
      {(promotions) => promotions.length > 0 && <Promotions promotions={promotions} />}
    </QueryBoundary>
  );
}

function Promotions({ promotions }: { promotions: OutputOf<typeof sectionStudentApi.promotions> }) {
  const { t } = useLingui();
  const { attempt, problem } = useAttempt();
  const download = useDownload();
  const undo = usePreview(sectionStudentApi.undoPromotion);
  const save = (id: number) => attempt(() => download(sectionStudentApi.promotionList, { id }, 'promotion-list.pdf'));
  const resultOf = ({ promoted, detained, left }: Record<'promoted' | 'detained' | 'left', number>) =>
    [
      promoted > 0 && t`Promoted: ${promoted}`,
      detained > 0 && t`Detained: ${detained}`,
      left > 0 && t`Leaving: ${left}`,
    ]
      .filter(Boolean)
      .join(', ');
  return (
    <section className="promotions">
      <h2>
        <Trans>Promotion lists</Trans>
      </h2>
      <p className="soft">
        <Trans>One list for each promotion. A list doesn’t change after its first download.</Trans>
      </p>
      {problem}
      {!undo.shown && undo.problem}
      <UndoPromotion preview={undo} />
      <ListRows
        caption={<Trans>Promotion lists</Trans>}
        heads={[t`Date`, t`Promoted to`, t`Promoted by`, t`Result`]}
        rows={promotions.map(({ id, at, by, toYear, undoneAt, undoneBy, hasList, ...counts }) => ({
          key: id,
          cells: [
            showMoment(at),
            toYear,
            by,
            undoneAt ? t`Undone by ${undoneBy} on ${showMoment(undoneAt)}` : resultOf(counts),
          ],
          actions: (
            <>
              {!undoneAt && (
                <Button kind="quiet" onClick={() => void undo.show({ id })}>
                  <Trans>
                    Undo…<VisuallyHidden> the promotion of {showMoment(at)}</VisuallyHidden>
                  </Trans>
                </Button>
              )}
              {hasList && (
                <Button kind="quiet" onClick={() => save(id)}>
                  <Trans>
                    Download PDF
                    <VisuallyHidden>
                      {' '}
                      of {showMoment(at)}, {resultOf(counts)}
                    </VisuallyHidden>
                  </Trans>
                </Button>
              )}
            </>
          ),
        }))}
      />
    </section>
  );
}

/** Shows what an undone promotion returns, or what has happened since. */
function UndoPromotion({ preview }: { preview: Preview<typeof sectionStudentApi.undoPromotion> }) {
  const { t } = useLingui();
  const toast = useToast();
  const { returns = [], unassigned = 0, also = [], blocks = [] } = preview.shown?.answer ?? {};
  const isBlocked = blocks.length > 0;
  return (
    <PreviewDialog
      preview={preview}
      title={isBlocked ? t`The promotion can’t be undone` : t`Undo the promotion`}
      confirm={<Trans>Undo the promotion</Trans>}
      details={
        isBlocked ? (
          <TextLines lines={blocks} />
        ) : (
          <>
            <ul className="plan everyone">
              {returns.map(({ result, names }) => (
                <li key={result.id}>
                  <b>{t`${translate(result)}: ${names.length}`}</b>
                  <br />
                  {names.join(', ')}
                </li>
              ))}
            </ul>
            <TextLines lines={also} />
          </>
        )
      }
      onApplied={() => toast({ kind: 'success', title: t`The promotion was undone.` })}
    >
      {isBlocked ? (
        <Trans>Students have changed since the promotion:</Trans>
      ) : (
        <>
          <Trans>These students become undecided and are removed from the new year.</Trans>{' '}
          {unassigned > 0 && (
            <Plural
              value={unassigned}
              one="# student loses a section of the new year."
              other="# students lose their sections of the new year."
            />
          )}
        </>
      )}
    </PreviewDialog>
  );
}
