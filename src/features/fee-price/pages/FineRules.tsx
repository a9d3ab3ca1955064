import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { ShortList } from '#kit/browser/list/ShortList.tsx';
import { translate } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showNumber } from '#kit/contract/text.ts';
import { type FineRule, fineRuleApi, termsWords } from '../contract/fine-rule.ts';
import { AddFineRule, AddTerms, RenameFineRule } from './FineRuleForm.tsx';

/** The late fine rules, each with its terms from a day on. */
export function FineRules({ mayChange }: { mayChange: boolean }) {
  const { t } = useLingui();
  return (
    <ShortList
      title={t`Late fine rules`}
      query={useRead(fineRuleApi.list, {})}
      columns={[
        { head: t`Fine`, cell: (rule) => <Terms rule={rule} /> },
        { head: t`Fee heads`, cell: ({ usedBy }) => (usedBy > 0 ? showNumber(usedBy) : '') },
      ]}
      count={(rows) => <Plural value={rows} one="# late fine rule" other="# late fine rules" />}
      empty={{ message: <Trans>No late fine rules yet. A fee head without one has no fine.</Trans> }}
      add={
        mayChange ? { label: t`Add late fine rule`, dialog: (onClose) => <AddFineRule onClose={onClose} /> } : undefined
      }
      edit={(rule) => (onClose) => <RenameFineRule rule={rule} onClose={onClose} />}
      acts={(rule) => [
        { label: t`Add terms…`, dialog: (onClose) => <AddTerms rule={rule} onClose={onClose} /> },
        ...(rule.versions.length > 1 && rule.versions[0]?.isFuture
          ? [
              {
                label: t`Remove the latest terms`,
                dialog: (onClose: () => void) => <RemoveTerms rule={rule} onClose={onClose} />,
              },
            ]
          : []),
      ]}
      history={fineRuleApi.history}
      remove={fineRuleApi.remove}
      isUsed={({ usedBy }) => usedBy > 0}
    />
  );
}

/** The terms of today, those that follow, and those before. */
function Terms({ rule: { versions } }: { rule: FineRule }) {
  return versions.map((terms) => {
    const words = translate(termsWords(terms));
    const day = showDate(terms.effectiveFrom);
    return (
      <div key={terms.id} className={terms.effectiveTo ? 'soft' : undefined}>
        {versions.length > 1 ? (
          <Trans>
            From {day}: {words}
          </Trans>
        ) : (
          words
        )}
      </div>
    );
  });
}

function RemoveTerms({ rule: { id, version, versions }, onClose }: { rule: FineRule; onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const remove = useAction(fineRuleApi.removeTerms);
  const day = showDate(versions[0]?.effectiveFrom ?? '');
  return (
    <AskDialog
      title={t`Remove the terms from ${day}`}
      confirm={<Trans>Remove</Trans>}
      isBad
      problem={remove.problem}
      onClose={onClose}
      onConfirm={async (close) => {
        const done = await remove.run({ id, version });
        if (!done) return;
        close();
        const title = done.status === 'Asked' ? t`A second person decides.` : t`Removed.`;
        toast({ kind: 'success', title, of: t`Terms from ${day}` });
      }}
    >
      <Trans>The previous terms apply again.</Trans>
    </AskDialog>
  );
}
