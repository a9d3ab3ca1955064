import { useLingui } from '@lingui/react/macro';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { TodayTab } from './TodayTab.tsx';

/** /school-erp/transport/today: the trips of a day for the office and the principal, who read of no stop or fee here. */
export function TodayPage() {
  const { t } = useLingui();
  return (
    <>
      <PageHead title={t`Buses today`} />
      <TodayTab />
    </>
  );
}
