import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { ShortList } from '#kit/browser/list/ShortList.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { showNumber } from '#kit/contract/text.ts';
import { frequencyApi } from '../contract/frequency.ts';
import { feePricePages } from '../contract/pages.ts';
import { useYearOfDues } from './days-off.ts';
import { AddFrequency, EditFrequency } from './FrequencyForm.tsx';
import { dueDaysWords } from './month-words.ts';

const presets = ['Monthly', 'Quarterly', 'Annual'] as const;

/** /school-erp/fee/frequency-of-payment: when fees are due in a year. */
export function FrequencyPage() {
  const { t } = useLingui();
  const year = useYearOfDues();
  const mayChange = useMay(frequencyApi.create);
  return (
    <ShortList
      title={translate(feePricePages[0].title)}
      isPage
      query={useRead(frequencyApi.list, {})}
      columns={[
        { head: t`Frequency`, cell: ({ kind }) => translateOption(kind) },
        { head: year ? t`Due in ${year.name}` : t`Due`, cell: ({ rows }) => (year ? dueDaysWords(year, rows) : '') },
        { head: t`Fee heads`, cell: ({ usedBy }) => (usedBy > 0 ? showNumber(usedBy) : '') },
      ]}
      count={(rows) => <Plural value={rows} one="# frequency" other="# frequencies" />}
      empty={{
        message: <Trans>No frequencies yet. Start with a usual one.</Trans>,
        acts: presets.map((kind) => ({
          label: translateOption(kind),
          dialog: (onClose) => <AddFrequency kind={kind} onClose={onClose} />,
        })),
      }}
      add={mayChange ? { label: t`Add frequency`, dialog: (onClose) => <AddFrequency onClose={onClose} /> } : undefined}
      edit={(frequency) => (onClose) => <EditFrequency frequency={frequency} onClose={onClose} />}
      acts={(frequency) => [
        { label: t`Duplicate`, dialog: (onClose) => <AddFrequency like={frequency} onClose={onClose} /> },
      ]}
      history={frequencyApi.history}
      remove={frequencyApi.remove}
      isUsed={({ usedBy }) => usedBy > 0}
    />
  );
}
