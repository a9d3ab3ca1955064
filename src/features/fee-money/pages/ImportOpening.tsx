import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FileImport } from '#kit/browser/import/FileImport.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { openingApi, openingFile, openingImportApi } from '../contract/opening.ts';

/** Takes what students owed, or had in advance, before the school used this system. */
export function ImportOpening({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <FileImport
      title={t`Import opening balances`}
      about={t`A row for each student, academic year and fee head. Advance has a minus, and waits for a second person.`}
      fields={openingFile}
      name="opening-balances"
      api={openingImportApi}
      hiddenValues={{}}
      earlier={<Earlier />}
      onClose={onClose}
    />
  );
}

/** The files that were imported, each with its undo. */
function Earlier() {
  const { t } = useLingui();
  const toast = useToast();
  const imports = useRead(openingApi.list, {});
  const { run, problem } = useAction(openingApi.undo);
  const end = useAction(openingApi.complete);
  const undo = async (id: number) => {
    const answer = await run({ id });
    if (!answer) return;
    const { undone, kept, isAsked } = answer;
    toast({
      kind: 'success',
      title: isAsked
        ? t`A second person decides.`
        : kept > 0
          ? t`${undone} undone. ${kept} kept because they were paid or used.`
          : t`${undone} undone.`,
    });
  };
  return (
    <QueryBoundary query={imports}>
      {({ rows, isComplete, isEndAsked }) =>
        rows.length > 0 && (
          <section>
            <h3>
              <Trans>Earlier imports</Trans>
            </h3>
            <ul>
              {rows.map(({ id, at, by, count, undone, owed, advance, waits }) => (
                <li key={id}>
                  <Trans>
                    {showDate(at.slice(0, 10))}, {by}: <Plural value={count} one="# row" other="# rows" />,{' '}
                    {showMoney(owed)} owed, {showMoney(advance)} advance
                  </Trans>{' '}
                  {waits ? (
                    <Chip>{waits === 'Post' ? t`Waits for approval` : t`Undo waits for approval`}</Chip>
                  ) : undone === count ? (
                    <Trans>Undone</Trans>
                  ) : (
                    <Button kind="quiet" onClick={() => void undo(id)}>
                      <Trans>Undo</Trans>
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {isComplete ? (
              <p>
                <Trans>Opening balances are complete.</Trans>
              </p>
            ) : isEndAsked ? (
              <Chip>
                <Trans>The end waits for approval</Trans>
              </Chip>
            ) : (
              <Button kind="quiet" onClick={() => void end.run({})}>
                <Trans>Opening balances are complete…</Trans>
              </Button>
            )}
            {problem ?? end.problem}
          </section>
        )
      }
    </QueryBoundary>
  );
}
