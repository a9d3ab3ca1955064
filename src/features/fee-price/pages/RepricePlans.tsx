import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { showMoney } from '#kit/contract/money.ts';
import { planApi, repriceFields } from '../contract/plan.ts';
import { PlanRun } from './PlanRun.tsx';

/** Gives the plans on earlier versions the prices of this one, for periods of which nothing is paid. */
export function RepricePlans({ structureId, validFrom }: { structureId: number; validFrom: string }) {
  const { t } = useLingui();
  const preview = usePreview(planApi.reprice);
  const { total = 0, kept } = preview.shown?.answer ?? {};
  const change = showMoney(total);
  const amount = showMoney(kept?.amount ?? 0);
  return (
    <PlanRun
      endpoint={planApi.reprice}
      preview={preview}
      opener={<Trans>Apply to plans…</Trans>}
      title={t`Apply new prices`}
      about={t`Later periods without payments take these prices.`}
      fields={repriceFields}
      initial={{ effectiveFrom: validFrom }}
      hiddenValues={{ structureId }}
      effect={(count) => (
        <Plural
          value={count}
          one={`# plan changes, by ${change} in all.`}
          other={`# plans change, by ${change} in all.`}
        />
      )}
      details={
        kept !== undefined &&
        kept.count > 0 && (
          <p className="soft">
            <Plural
              value={kept.count}
              one={`# due of ${amount} keeps its billed amount because it has payments.`}
              other={`# dues of ${amount} keep their billed amounts because they have payments.`}
            />
          </p>
        )
      }
      confirm={<Trans>Apply</Trans>}
    />
  );
}
