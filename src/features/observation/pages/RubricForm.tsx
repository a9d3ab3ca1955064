import { Trans, useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useRead } from '#kit/browser/data/read.ts';
import { Fold } from '#kit/browser/form/Fold.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { Values } from '#kit/contract/master.ts';
import { readPercent, showPercent, typedPercent } from '#kit/contract/money.ts';
import { levelMaster, scaleMaster } from '../contract/masters.ts';
import { rubricApi } from '../contract/rubric.ts';
import styles from './RubricForm.module.css';

type Rubric = OutputOf<typeof rubricApi.versions>;

interface Indicator {
  text: string;
  isCritical: boolean;
  descriptors: { levelId: number; text: string }[];
}
interface Domain {
  name: string;
  weight: string;
  indicators: Indicator[];
}

const noIndicator: Indicator = { text: '', isCritical: false, descriptors: [] };
const noDomain: Domain = { name: '', weight: '', indicators: [noIndicator] };

/** The draft of a rubric: domains with their indicators. A new draft begins as a copy of the latest version. */
export function RubricForm({ rubric, onClose }: { rubric: Rubric; onClose: () => void }) {
  const { t } = useLingui();
  const [from] = rubric.versions;
  const draft = from?.state === 'Draft' ? from : undefined;
  return (
    <RecordForm
      title={draft ? t`Edit version ${draft.number}` : t`New version`}
      about={t`Enter adds an indicator, Alt with arrows moves it.`}
      endpoint={rubricApi.saveDraft}
      initial={{
        scaleId: from ? String(from.scaleId) : '',
        domains: from
          ? from.domains.map(({ name, weight, indicators }) => ({
              name,
              weight: weight === null ? '' : typedPercent(weight),
              indicators: indicators.map(({ text, isCritical, descriptors }) => ({ text, isCritical, descriptors })),
            }))
          : [noDomain],
      }}
      hiddenValues={{ id: rubric.id, version: draft?.version ?? 0 }}
      words={<Trans>Save draft</Trans>}
      onClose={onClose}
    >
      <OptionField name="scaleId" options={scaleMaster.api.options} />
      <Domains isWeighted={rubric.forWhom === 'Staff'} />
    </RecordForm>
  );
}

function Domains({ isWeighted }: { isWeighted: boolean }) {
  const { t } = useLingui();
  const { values, change, errors } = useApiForm();
  const domains = values.domains as Domain[];
  const [focus, setFocus] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const ofScale = { search: '', scaleId: String(values.scaleId || '0') };
  const { data } = useRead(levelMaster.api.list, ofScale);
  const pointsOf = ({ points }: Values) => (points === null ? 1000 : Number(points));
  const levels = (data?.rows ?? []).toSorted((one, other) => pointsOf(one) - pointsOf(other));
  useEffect(() => {
    if (focus) box.current?.querySelector<HTMLElement>(`[name="${focus}"]`)?.focus();
    setFocus('');
  }, [focus]);
  const set = (next: Domain[]) => change('domains', next);
  const setDomain = (place: number, over: Partial<Domain>) =>
    set(domains.map((domain, index) => (index === place ? { ...domain, ...over } : domain)));
  const setIndicators = (place: number, indicators: Indicator[]) => setDomain(place, { indicators });
  const total = domains.reduce((sum, { weight }) => sum + (readPercent(weight) ?? 0), 0);

  const onKeyDown = (event: KeyboardEvent, place: number, at: number) => {
    const list = domains[place]?.indicators ?? [];
    const own = list[at];
    if (!own || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      setIndicators(place, list.toSpliced(at + 1, 0, noIndicator));
      setFocus(`domains.${place}.indicators.${at + 1}.text`);
    }
    if (event.key === 'Backspace' && own.text === '' && list.length > 1) {
      event.preventDefault();
      setIndicators(place, list.toSpliced(at, 1));
      setFocus(`domains.${place}.indicators.${Math.max(at - 1, 0)}.text`);
    }
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (event.altKey && by !== 0 && at + by >= 0 && at + by < list.length) {
      event.preventDefault();
      setIndicators(place, list.toSpliced(at, 1).toSpliced(at + by, 0, own));
      setFocus(`domains.${place}.indicators.${at + by}.text`);
    }
  };

  return (
    <div ref={box}>
      <ErrorText id="domains-error" error={errors.domains} />
      {domains.map((domain, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place.
        <fieldset key={place} className={styles.domain}>
          <legend>
            <Trans>Domain {place + 1}</Trans>
          </legend>
          <Row gap={8} align="center" mt={6} mb={6} className={styles.line}>
            <input
              className="box"
              name={`domains.${place}.name`}
              aria-label={t`Name of domain ${place + 1}`}
              placeholder={t`Name`}
              value={domain.name}
              onChange={({ currentTarget }) => setDomain(place, { name: currentTarget.value })}
            />
            {isWeighted && (
              <input
                className={`box ${styles.weight}`}
                name={`domains.${place}.weight`}
                aria-label={t`Weight of domain ${place + 1} in percent`}
                placeholder="%"
                inputMode="decimal"
                value={domain.weight}
                onChange={({ currentTarget }) => setDomain(place, { weight: currentTarget.value })}
              />
            )}
            <Button kind="quiet" onClick={() => set(domains.toSpliced(place, 1))}>
              <Trans>Remove</Trans>
            </Button>
          </Row>
          <ErrorText
            id={`domain-${place}-error`}
            error={errors[`domains.${place}.name`] ?? errors[`domains.${place}.weight`]}
          />
          {domain.indicators.map((indicator, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place.
            <div key={at}>
              <Row gap={8} align="center" mt={6} mb={6} className={styles.line}>
                <input
                  className="box"
                  name={`domains.${place}.indicators.${at}.text`}
                  aria-label={t`Indicator ${at + 1} of domain ${place + 1}`}
                  placeholder={t`Indicator`}
                  value={indicator.text}
                  onKeyDown={(event) => onKeyDown(event, place, at)}
                  onChange={({ currentTarget }) =>
                    setIndicators(place, domain.indicators.with(at, { ...indicator, text: currentTarget.value }))
                  }
                />
                {isWeighted && (
                  <Row as="label" inline gap={6} align="center" breaks="never" className={styles.critical}>
                    <input
                      type="checkbox"
                      checked={indicator.isCritical}
                      onChange={({ currentTarget }) =>
                        setIndicators(
                          place,
                          domain.indicators.with(at, { ...indicator, isCritical: currentTarget.checked }),
                        )
                      }
                    />
                    <Trans>Critical</Trans>
                  </Row>
                )}
              </Row>
              <ErrorText
                id={`indicator-${place}-${at}-error`}
                error={errors[`domains.${place}.indicators.${at}.text`]}
              />
              {levels.length > 0 && (
                <Fold line={<Trans>What each level looks like</Trans>}>
                  {levels.map((level) => {
                    const said = indicator.descriptors.find(({ levelId }) => levelId === level.id)?.text ?? '';
                    return (
                      <Text as="label" mt={6} mb={6} size={13} key={level.id} className={styles.descriptor}>
                        {String(level.label)}
                        <textarea
                          className="box"
                          rows={2}
                          value={said}
                          onChange={({ currentTarget }) =>
                            setIndicators(
                              place,
                              domain.indicators.with(at, {
                                ...indicator,
                                descriptors: [
                                  ...indicator.descriptors.filter(({ levelId }) => levelId !== level.id),
                                  { levelId: level.id, text: currentTarget.value },
                                ],
                              }),
                            )
                          }
                        />
                      </Text>
                    );
                  })}
                </Fold>
              )}
            </div>
          ))}
          <Button
            kind="quiet"
            edge="start"
            onClick={() => {
              setIndicators(place, [...domain.indicators, noIndicator]);
              setFocus(`domains.${place}.indicators.${domain.indicators.length}.text`);
            }}
          >
            <Trans>Add indicator</Trans>
          </Button>
        </fieldset>
      ))}
      <Button
        onClick={() => {
          set([...domains, noDomain]);
          setFocus(`domains.${domains.length}.name`);
        }}
      >
        <Trans>Add domain</Trans>
      </Button>
      {isWeighted && (
        <p role="status" className={total === 10_000 ? 'soft' : 'warning'}>
          <Trans>Weights: {showPercent(total)} of 100 %</Trans>
        </p>
      )}
    </div>
  );
}
