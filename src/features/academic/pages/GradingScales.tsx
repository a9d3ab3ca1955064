import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { ShortList } from '#kit/browser/list/ShortList.tsx';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { bandWords, gradingScaleApi } from '../contract/grading-scale.ts';
import { AddGradingScale, EditGradingScale } from './GradingScaleForm.tsx';

export function GradingScales() {
  const { t } = useLingui();
  return (
    <ShortList
      title={t`Grading scales`}
      query={useRead(gradingScaleApi.list, {})}
      columns={[
        {
          head: t`Grades, percentages (points)`,
          cell: ({ bands }) =>
            bands.map((band, place) => (
              <span key={band.min}>
                <Text as="span" breaks="never">
                  {bandWords(band)}
                  {place < bands.length - 1 && ','}
                </Text>{' '}
              </span>
            )),
        },
      ]}
      count={(rows) => <Plural value={rows} one="# grading scale" other="# grading scales" />}
      empty={{ message: <Trans>Add a grading scale to convert marks into grades.</Trans> }}
      add={{ label: t`Add grading scale`, dialog: (onClose) => <AddGradingScale onClose={onClose} /> }}
      edit={(scale) => (onClose) => <EditGradingScale scale={scale} onClose={onClose} />}
      history={gradingScaleApi.history}
      remove={gradingScaleApi.remove}
    />
  );
}
