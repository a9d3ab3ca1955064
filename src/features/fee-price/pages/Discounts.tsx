import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { ShortList } from '#kit/browser/list/ShortList.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { showMoney, showPercent } from '#kit/contract/money.ts';
import { showNumber } from '#kit/contract/text.ts';
import { type Discount, discountApi, valueWords } from '../contract/discount.ts';
import { WaitingChanges } from '../ui/WaitingChanges.tsx';
import { AddDiscount, EditDiscount } from './DiscountForm.tsx';

/** The discounts that a school gives, in the order in which they are taken off. */
export function Discounts() {
  const { t } = useLingui();
  const mayChange = useMay(discountApi.create);
  const query = useRead(discountApi.list, {});
  const waiting = query.data?.waiting ?? [];
  return (
    <>
      <WaitingChanges changes={waiting.filter(({ subjectId }) => subjectId === null)} />
      <ShortList
        title={t`Discounts`}
        query={query}
        columns={[
          {
            head: t`Takes off`,
            cell: (discount) => (
              <>
                <Value discount={discount} />
                <WaitingChanges changes={waiting.filter(({ subjectId }) => subjectId === discount.id)} />
              </>
            ),
          },
          {
            head: t`For`,
            cell: ({ eligibility, categories }) =>
              categories.length > 0 ? categories.map(({ name }) => name).join(', ') : translateOption(eligibility),
          },
          {
            head: t`Order`,
            cell: ({ stackGroup, priority }) =>
              stackGroup ? t`${priority}; the best of group “${stackGroup}” counts` : String(priority),
          },
          { head: t`Approval`, cell: (discount) => <Approval discount={discount} /> },
          { head: t`Students`, cell: ({ usedBy }) => (usedBy > 0 ? showNumber(usedBy) : '') },
        ]}
        count={(rows) => <Plural value={rows} one="# discount" other="# discounts" />}
        empty={{ message: <Trans>No discounts yet. Add those of siblings and of staff children first.</Trans> }}
        add={mayChange ? { label: t`Add discount`, dialog: (onClose) => <AddDiscount onClose={onClose} /> } : undefined}
        edit={(discount) => (onClose) => <EditDiscount discount={discount} onClose={onClose} />}
        acts={(discount) => [
          { label: t`Duplicate`, dialog: (onClose) => <AddDiscount like={discount} onClose={onClose} /> },
        ]}
        history={discountApi.history}
        remove={discountApi.remove}
        isUsed={({ usedBy }) => usedBy > 0}
      />
    </>
  );
}

function Value({ discount }: { discount: Discount }) {
  const heads = discount.heads.map(({ name }) => name).join(', ');
  const most = showMoney(discount.maxAmount ?? 0);
  return (
    <>
      {translate(valueWords(discount))}
      {(heads || discount.maxAmount !== null) && (
        <div className="soft">
          {heads} {discount.maxAmount !== null && <Trans>at most {most} a year</Trans>}
        </div>
      )}
    </>
  );
}

function Approval({ discount: { needsApproval, approvalAbove } }: { discount: Discount }) {
  const above = showPercent(approvalAbove ?? 0);
  if (needsApproval) return <Trans>Always</Trans>;
  return approvalAbove === null ? <Trans>Never</Trans> : <Trans>Above {above}</Trans>;
}
