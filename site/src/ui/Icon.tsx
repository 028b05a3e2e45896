import { type IconName, icons } from './icons.ts';

/** An icon; decorative unless it has a `label`. */
export function Icon({
  name,
  label,
  className,
}: {
  name: IconName;
  label?: string;
  className?: string;
}) {
  return (
    <svg
      className={className ? `icon ${className}` : 'icon'}
      viewBox="0 0 24 24"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawings, constants of the build
      dangerouslySetInnerHTML={{ __html: icons[name] }}
    />
  );
}
