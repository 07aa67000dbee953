"""What calls give, as plain data: the same from a desk and over HTTP."""
