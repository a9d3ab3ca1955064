import { Trans, useLingui } from '@lingui/react/macro';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { sectionStudentApi } from '../contract/section-student.ts';
import type { GradeOfYear } from './grade-of-year.ts';

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
        <Trans>One list for each promotion. A list stays the same after its first download.</Trans>
      </p>
      {problem}
      <ListRows
        caption={<Trans>Promotion lists</Trans>}
        heads={[t`Date`, t`Promoted to`, t`Promoted by`, t`Result`]}
        rows={promotions.map(({ id, at, by, toYear, ...counts }) => ({
          key: id,
          cells: [showMoment(at), toYear, by, resultOf(counts)],
          actions: (
            <Button kind="quiet" onClick={() => save(id)}>
              <Trans>
                Download PDF
                <VisuallyHidden>
                  {' '}
                  of {showMoment(at)}, {resultOf(counts)}
                </VisuallyHidden>
              </Trans>
            </Button>
          ),
        }))}
      />
    </section>
  );
}
