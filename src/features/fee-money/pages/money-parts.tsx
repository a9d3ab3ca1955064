import { useLingui } from '@lingui/react/macro';
import { lazy } from 'react';

// Each part is loaded when it is opened.
const Cheques = lazy(async () => ({ default: (await import('./Cheques.tsx')).Cheques }));
const DayTab = lazy(async () => ({ default: (await import('./DayTab.tsx')).DayTab }));
const BankPart = lazy(async () => ({ default: (await import('./BankPart.tsx')).BankPart }));
const Corrections = lazy(async () => ({ default: (await import('./Corrections.tsx')).Corrections }));
const Refunds = lazy(async () => ({ default: (await import('./Corrections.tsx')).Refunds }));
const ReportsTab = lazy(async () => ({ default: (await import('./ReportsTab.tsx')).ReportsTab }));

/** The parts of fees that follow the counter: cheques, the day, unplaced money, corrections, refunds and reports. */
export function useMoneyParts() {
  const { t } = useLingui();
  return [
    { key: 'cheques', title: t`Cheques`, body: <Cheques /> },
    { key: 'day', title: t`Day`, body: <DayTab /> },
    { key: 'bank', title: t`Bank`, body: <BankPart /> },
    { key: 'corrections', title: t`Corrections`, body: <Corrections /> },
    { key: 'refunds', title: t`Refunds`, body: <Refunds /> },
    { key: 'reports', title: t`Reports`, body: <ReportsTab /> },
  ];
}
