def snippet(text, found, n):
    return "", text[:n], ""
