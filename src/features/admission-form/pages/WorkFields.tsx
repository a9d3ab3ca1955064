import { Trans, useLingui } from '@lingui/react/macro';
import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { get } from '#kit/browser/data/get.ts';
import { RadioField, YesNoField } from '#kit/browser/form/choices.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { type Career, careerApi } from '../contract/career.ts';
import { internshipAnswers, occupations } from '../contract/parent-info.ts';
import { workLabels } from '../ui/words.tsx';

export interface PersonProps {
  who: 'father' | 'mother' | 'guardian';
  /** "Father’s", read before each label. */
  owner: string;
  sectors: Career[];
}

/** Employment, sector and specialty, internship and field trip: the same questions for father, mother and guardian. */
export function WorkFields({ who, owner, sectors, isParent = false }: PersonProps & { isParent?: boolean }) {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const isHomemaker = values[`${who}Occupation`] === 'Homemaker';
  const organization = isParent ? `${who}OccupationOrganization` : `${who}OrganizationName`;

  const chooseOccupation = (occupation: string) => {
    if (occupation !== 'Homemaker') return;
    // A26: a homemaker has no sector and no organization.
    if (!values[organization]) change(organization, 'Not applicable');
    if (!values[`${who}OccupationDtl`]) change(`${who}OccupationDtl`, 'Homemaker');
    change(`${who}CareerClusterID`, '');
    change(`${who}CareePathwayID`, '');
  };
  const required = isParent;
  return (
    <>
      <RadioField name={`${who}Occupation`} owner={owner} options={occupations} onChange={chooseOccupation} required />
      <TextField name={organization} owner={owner} required={required} />
      <TextField
        name={`${who}OccupationDtl`}
        owner={owner}
        required={required}
        long
        hint={t`Describe the work in a line or two`}
      />
      {/* Whether there is a sector depends on the employment status. */}
      {values[`${who}Occupation`] !== '' && (
        <CareerFields who={who} owner={owner} sectors={sectors} isDisabled={isHomemaker} />
      )}
      <RadioField
        name={`${who}CanOfferInternship`}
        owner={owner}
        label={workLabels.CanOfferInternship}
        options={internshipAnswers}
        required={required}
        hint={<Trans>The internship program is for students from Grade 8 onwards.</Trans>}
      />
      <YesNoField
        name={`${who}CanVisitWorkplace`}
        owner={owner}
        label={workLabels.CanVisitWorkplace}
        required={required}
      />
      {values[`${who}CanVisitWorkplace`] === true && <TextField name={`${who}WorkplaceInfo`} owner={owner} long />}
    </>
  );
}

/** The sector, and the specialties of that sector alone. The last choice wins, however the answers arrive. */
function CareerFields({ who, owner, sectors, isDisabled }: PersonProps & { isDisabled: boolean }) {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const sector = String(values[`${who}CareerClusterID`] ?? '');
  const { specialties, isLoading, failed, retry } = useSpecialties(sector);
  const asOptions = (careers: Career[]) =>
    careers.map(({ careerID, careerName }) => ({ value: String(careerID), label: careerName }));
  return (
    <>
      <SelectField
        name={`${who}CareerClusterID`}
        owner={owner}
        options={asOptions(sectors)}
        disabled={isDisabled}
        required
        onChange={() => change(`${who}CareePathwayID`, '')}
      />
      <SelectField
        name={`${who}CareePathwayID`}
        owner={owner}
        options={asOptions(specialties)}
        disabled={isDisabled || isLoading || sector === ''}
        required
        placeholder={isLoading ? t`Loading specialties` : sector === '' ? t`Choose a sector first` : undefined}
      />
      {failed && (
        <p className="warning" role="status">
          <Trans>This could not be loaded.</Trans>{' '}
          <Button kind="quiet" onClick={retry}>
            <Trans>Try again</Trans>
          </Button>
        </p>
      )}
    </>
  );
}

const loaded = new Map<string, Career[]>();

function useSpecialties(sector: string) {
  const [result, setResult] = useState<{ sector: string; specialties: Career[]; failed: boolean }>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is asked for by counting it.
  useEffect(() => {
    if (sector === '' || loaded.has(sector)) return;
    let isCurrent = true;
    const showSpecialties = (specialties: Career[], failed: boolean) =>
      isCurrent && setResult({ sector, specialties, failed });
    get(careerApi.specialties, { careerID: sector }).then(
      ({ data }) => {
        loaded.set(sector, data.lstCareerMaster);
        showSpecialties(data.lstCareerMaster, false);
      },
      () => showSpecialties([], true),
    );
    return () => {
      isCurrent = false;
    };
  }, [sector, tries]);

  const retry = useCallback(() => {
    setResult(undefined);
    setTries((count) => count + 1);
  }, []);
  const hasFailed = result?.sector === sector && result.failed && !loaded.has(sector);
  // Listens before the failure is painted: a network that comes back at that moment is heard.
  useLayoutEffect(() => {
    if (!hasFailed) return;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [hasFailed, retry]);

  const known = loaded.get(sector) ?? (result?.sector === sector ? result.specialties : []);
  return {
    specialties: known,
    failed: hasFailed,
    isLoading: sector !== '' && !loaded.has(sector) && !hasFailed,
    retry,
  };
}
