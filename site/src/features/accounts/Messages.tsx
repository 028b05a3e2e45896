import { useEffect } from 'react';
import { takeFlashes } from '../../lib/flash.ts';
import { Toaster, type ToasterProps, toast } from '../../ui/Toaster.tsx';

/** Toasts, including those left by the previous page. */
export default function Messages(props: ToasterProps) {
  useEffect(() => {
    for (const { tone, title, text } of takeFlashes())
      toast[tone](title, text ? { description: text } : undefined);
  }, []);
  return <Toaster {...props} />;
}
