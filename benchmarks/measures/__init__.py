"""What is measured: accuracy, confidence, speed, size, growth. Plain data in, plain data out."""
